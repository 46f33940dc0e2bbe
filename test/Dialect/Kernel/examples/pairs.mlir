// All pairs: what the outputs read for themselves stands in every phase, tiles
// of the others are shared.
//
// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --kernel-stage-operands --canonicalize --cse -o %t.mlir
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.mlir
// RUN: arr-opt %t.mlir --kernel-mask-tails --kernel-jam-loops --canonicalize --cse --kernel-lower-sequential | %run_mlir | FileCheck %s

func.func @plain(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) {
  kernel.launch @pairs (%A[%N] = %a : memref<?xf32>, %B[%N] = %b : memref<?xf32>, %N = %n : index) outs (%C[%N] = %c : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %x = kernel.load %A[%i] : memref<?xf32>
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %y = kernel.load %A[%l] : memref<?xf32>
        %w = kernel.load %B[%l] : memref<?xf32>
        %d = arith.subf %y, %x : f32
        %p = arith.mulf %d, %w : f32
        kernel.yield %p : f32
      }
      %t = arith.addf %s, %x : f32
      kernel.store %t, %C[%i] : memref<?xf32>
    }
  }
  return
}

// No branch around the work: past the end the last output is computed again.
// TEXT-LABEL: @tiles
// TEXT: kernel.for "l.0"
// TEXT:   kernel.for "i.2" {{.*}} in 2 at thread.x
// TEXT:   kernel.for "i.1" {{.*}} in 3 at unroll
// TEXT-NOT: scf.if
// TEXT:     arith.minsi
// TEXT:     kernel.load %A[
// TEXT-NOT: scf.if
// TEXT:     kernel.for "l.1" {{.*}} in 4 at seq reduce
// TEXT: kernel.for "l.0"
// TEXT: scf.if
// TEXT:   kernel.store %{{.*}}, %C[
func.func @tiles(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) {
  kernel.launch @pairs (%A[%N] = %a : memref<?xf32>, %B[%N] = %b : memref<?xf32>, %N = %n : index) outs (%C[%N] = %c : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, unroll 3, thread.x 2], l = [seq, seq 4], order = [i.0, l.0, i.2, i.1, l.1],
               stage = [A at l.0 shared ahead, B at l.0 shared ahead]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %x = kernel.load %A[%i] : memref<?xf32>
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %y = kernel.load %A[%l] : memref<?xf32>
        %w = kernel.load %B[%l] : memref<?xf32>
        %d = arith.subf %y, %x : f32
        %p = arith.mulf %d, %w : f32
        kernel.yield %p : f32
      }
      %t = arith.addf %s, %x : f32
      kernel.store %t, %C[%i] : memref<?xf32>
    }
  }
  return
}

func.func @compare(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %ij = arith.muli %i, %i : index
    %v = arith.index_cast %ij : index to i64
    %q = arith.sitofp %v : i64 to f32
    %u = arith.index_cast %i : index to i64
    %r = arith.sitofp %u : i64 to f32
    memref.store %q, %a[%i] : memref<?xf32>
    memref.store %r, %b[%i] : memref<?xf32> }
  func.call @plain(%a, %b, %x, %n) : (memref<?xf32>, memref<?xf32>, memref<?xf32>, index) -> ()
  func.call @tiles(%a, %b, %y, %n) : (memref<?xf32>, memref<?xf32>, memref<?xf32>, index) -> ()
  // The sum of the first answer, and of its differences to the second.
  %sum = memref.alloc() : memref<2xf32>
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %sum[%c0] : memref<2xf32>
  memref.store %zero, %sum[%c1] : memref<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    %p = memref.load %x[%i] : memref<?xf32>
    %q = memref.load %y[%i] : memref<?xf32>
    %d = arith.subf %p, %q : f32
    %e = math.absf %d : f32
    %u = memref.load %sum[%c0] : memref<2xf32>
    %v = memref.load %sum[%c1] : memref<2xf32>
    %s = arith.addf %u, %p : f32
    %t = arith.addf %v, %e : f32
    memref.store %s, %sum[%c0] : memref<2xf32>
    memref.store %t, %sum[%c1] : memref<2xf32> }
  %all = memref.cast %sum : memref<2xf32> to memref<*xf32>
  func.call @printMemrefF32(%all) : (memref<*xf32>) -> ()
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c9 = arith.constant 9 : index
  %c12 = arith.constant 12 : index
  // CHECK-COUNT-4: [{{-?[1-9].*}}, 0]
  func.call @compare(%c2) : (index) -> ()
  func.call @compare(%c6) : (index) -> ()
  func.call @compare(%c9) : (index) -> ()
  func.call @compare(%c12) : (index) -> ()
  return
}
