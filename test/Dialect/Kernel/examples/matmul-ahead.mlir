// A matrix product whose tiles are loaded a step ahead, one of them turned: with
// single elements and by rows that start at multiples of four.
//
// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --kernel-stage-operands --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.mlir
// RUN: arr-opt %t.mlir --kernel-mask-tails --kernel-jam-loops --canonicalize --cse --kernel-lower-sequential | sed "s/array.assume \(%[^ ]*\) multiple 4/arith.maxsi \1, \1/" | %run_mlir | FileCheck %s

func.func @plain(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @mm (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %x = kernel.load %A[%i, %l] : memref<?x?xf32>
        %y = kernel.load %B[%l, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        kernel.yield %p : f32
      }
      kernel.store %s, %C[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// Loads without masks, into what each thread keeps, before the work; then it is
// stored where it was.
// TEXT-LABEL: @single
// TEXT: %[[A:.*]] = kernel.local : memref<4x12xf32>
// TEXT: %[[PART:.*]] = kernel.local : memref<2x2x8xf32>
// TEXT: scf.if
// TEXT:   kernel.store %{{.*}}, %[[A]][%{{.*}}, %{{.*}}]
// TEXT: kernel.for "l.0"
// TEXT:   kernel.load %A[%{{[^ ]*}}, %{{[^ ]*}}] : memref<?x?xf32>
// TEXT:   kernel.store %{{.*}}, %[[PART]]
// TEXT:   kernel.for "l.1" {{.*}} in 4 at seq reduce
// TEXT:   kernel.load %[[PART]]
// TEXT:   kernel.store %{{.*}}, %[[A]][%{{.*}}, %{{.*}}]
// TEXT: kernel.for "l.0"
// TEXT-LABEL: @wide
// TEXT: memref<2x2x2x4xf32>
// TEXT: in 4 at vector
func.func @single(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @mm (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%C[%N, %M] = %c : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 2, thread.y 2, unroll 2], j = [block.0, thread.x 2, unroll 4], l = [seq, seq 4],
               order = [i.0, j.0, l.0, i.2, j.1, i.1, i.3, j.2, l.1], stage = [A at l.0 shared pad 4 turned ahead, B at l.0 shared ahead]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %x = kernel.load %A[%i, %l] : memref<?x?xf32>
        %y = kernel.load %B[%l, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        kernel.yield %p : f32
      }
      kernel.store %s, %C[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
func.func @wide(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  %m4 = array.assume %m multiple 4 : index
  %k4 = array.assume %k multiple 4 : index
  kernel.launch @mm (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m4 : index, %K = %k4 : index) outs (%C[%N, %M] = %c : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 2, thread.y 2, unroll 2], j = [block.0, thread.x 2, unroll 4], l = [seq, seq 4],
               order = [i.0, j.0, l.0, i.2, j.1, i.1, i.3, j.2, l.1], stage = [A at l.0 shared pad 4 turned ahead, B at l.0 shared ahead]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %x = kernel.load %A[%i, %l] : memref<?x?xf32>
        %y = kernel.load %B[%l, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        kernel.yield %p : f32
      }
      kernel.store %s, %C[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

func.func @compare(%n: index, %m: index, %k: index, %wide: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n, %k) : memref<?x?xf32>
  %b = memref.alloc(%k, %m) : memref<?x?xf32>
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %k step %c1 {
    %ij = arith.muli %i, %j : index
    %ii = arith.addi %ij, %i : index
    %v = arith.index_cast %ii : index to i64
    %q = arith.sitofp %v : i64 to f32
    memref.store %q, %a[%i, %j] : memref<?x?xf32> } }
  scf.for %i = %c0 to %k step %c1 { scf.for %j = %c0 to %m step %c1 {
    %ij = arith.addi %i, %j : index
    %v = arith.index_cast %ij : index to i64
    %q = arith.sitofp %v : i64 to f32
    memref.store %q, %b[%i, %j] : memref<?x?xf32> } }
  func.call @plain(%a, %b, %x, %n, %m, %k) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index, index, index) -> ()
  scf.if %wide {
    func.call @wide(%a, %b, %y, %n, %m, %k) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index, index, index) -> ()
  } else {
    func.call @single(%a, %b, %y, %n, %m, %k) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index, index, index) -> ()
  }
  // The sum of the first answer, and of its differences to the second.
  %sum = memref.alloc() : memref<2xf32>
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %sum[%c0] : memref<2xf32>
  memref.store %zero, %sum[%c1] : memref<2xf32>
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %p = memref.load %x[%i, %j] : memref<?x?xf32>
    %q = memref.load %y[%i, %j] : memref<?x?xf32>
    %d = arith.subf %p, %q : f32
    %e = math.absf %d : f32
    %u = memref.load %sum[%c0] : memref<2xf32>
    %v = memref.load %sum[%c1] : memref<2xf32>
    %s = arith.addf %u, %p : f32
    %t = arith.addf %v, %e : f32
    memref.store %s, %sum[%c0] : memref<2xf32>
    memref.store %t, %sum[%c1] : memref<2xf32> } }
  %all = memref.cast %sum : memref<2xf32> to memref<*xf32>
  func.call @printMemrefF32(%all) : (memref<*xf32>) -> ()
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c12 = arith.constant 12 : index
  %yes = arith.constant true
  %no = arith.constant false
  // CHECK-COUNT-5: [{{[1-9].*}}, 0]
  func.call @compare(%c9, %c5, %c9, %no) : (index, index, index, i1) -> ()
  func.call @compare(%c8, %c8, %c8, %no) : (index, index, index, i1) -> ()
  func.call @compare(%c2, %c3, %c3, %no) : (index, index, index, i1) -> ()
  func.call @compare(%c9, %c12, %c12, %yes) : (index, index, index, i1) -> ()
  func.call @compare(%c3, %c8, %c8, %yes) : (index, index, index, i1) -> ()
  return
}
