// Matrix product, and the same in tiles with staged operands and accumulators in a local.
//
// RUN: arr-opt %s --kernel-lower-sequential | %run_mlir | FileCheck %s

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
// i = [block.y, thread.y 2, unroll 2], j = [block.x, thread.x 2, unroll 2], l = [seq, seq 3]; order i.0 j.0 l.0 | i.1 j.1 i.2 j.2 | l.1; stage A, B at l.0 shared
func.func @sched(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @mm (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %gi = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%N)
    %gj = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%M)
    %gl = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%K)
    kernel.for "i.0" (%ib) in %gi at block.y { kernel.for "j.0" (%jb) in %gj at block.x {
      %acc = kernel.local : memref<2x2x2x2xf32>                    // [i.1 i.2 j.1 j.2]: thread digits drop out -> 2x2 registers
      %as = kernel.local : memref<4x3xf32>
      %bs = kernel.local : memref<3x4xf32>
      kernel.for "i.1" (%it) in 2 at thread.y { kernel.for "j.1" (%jt) in 2 at thread.x { kernel.for "i.2" (%iu) in 2 at unroll { kernel.for "j.2" (%ju) in 2 at unroll {
        kernel.store %z, %acc[%it, %iu, %jt, %ju] : memref<2x2x2x2xf32> } } } }
      kernel.for "l.0" (%lb) in %gl at seq {
        kernel.for "s.0" (%s) in 4 at thread.x { kernel.for "s.1" (%u) in 3 at seq {
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%ib, %s)
          %l = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%lb, %u)
          %p = arith.cmpi slt, %i, %N : index
          %q = arith.cmpi slt, %l, %K : index
          %in = arith.andi %p, %q : i1
          %v = kernel.load %A[%i, %l] if %in : memref<?x?xf32>
          kernel.store %v, %as[%s, %u] : memref<4x3xf32>
          %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%jb, %s)
          %p2 = arith.cmpi slt, %j, %M : index
          %in2 = arith.andi %p2, %q : i1
          %w = kernel.load %B[%l, %j] if %in2 : memref<?x?xf32>
          kernel.store %w, %bs[%u, %s] : memref<3x4xf32>
        } }
        kernel.for "i.1" (%it) in 2 at thread.y { kernel.for "j.1" (%jt) in 2 at thread.x { kernel.for "i.2" (%iu) in 2 at unroll { kernel.for "j.2" (%ju) in 2 at unroll {
          %old = kernel.load %acc[%it, %iu, %jt, %ju] : memref<2x2x2x2xf32>
          %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%it, %iu)
          %j = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%jt, %ju)
          %s = kernel.for "l.1" (%l) in 3 at unroll reduce (%old : f32) by arith.addf {
            %x = kernel.load %as[%i, %l] : memref<4x3xf32>
            %y = kernel.load %bs[%l, %j] : memref<3x4xf32>
            %p = arith.mulf %x, %y : f32
            kernel.yield %p : f32
          }
          kernel.store %s, %acc[%it, %iu, %jt, %ju] : memref<2x2x2x2xf32>
        } } } }
      }
      kernel.for "i.1" (%it) in 2 at thread.y { kernel.for "j.1" (%jt) in 2 at thread.x { kernel.for "i.2" (%iu) in 2 at unroll { kernel.for "j.2" (%ju) in 2 at unroll {
        %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 4 + d1 * 2 + d2)>(%ib, %it, %iu)
        %j = affine.apply affine_map<(d0, d1, d2) -> (d0 * 4 + d1 * 2 + d2)>(%jb, %jt, %ju)
        %p = arith.cmpi slt, %i, %N : index
        %q = arith.cmpi slt, %j, %M : index
        %in = arith.andi %p, %q : i1
        %s = kernel.load %acc[%it, %iu, %jt, %ju] : memref<2x2x2x2xf32>
        kernel.store %s, %C[%i, %j] if %in : memref<?x?xf32>
      } } } }
    } }
  }
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %m = arith.constant 7 : index
  %k = arith.constant 8 : index
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
  func.call @sched(%a, %b, %y, %n, %m, %k) : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>, index, index, index) -> ()
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %p = memref.load %x[%i, %j] : memref<?x?xf32>
    %q = memref.load %y[%i, %j] : memref<?x?xf32>
    %d = arith.subf %p, %q : f32
    memref.store %d, %x[%i, %j] : memref<?x?xf32> } }
  %u = memref.cast %x : memref<?x?xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %u2 = memref.cast %y : memref<?x?xf32> to memref<*xf32>
  func.call @printMemrefF32(%u2) : (memref<*xf32>) -> ()
  return
}

// The difference of both answers, then the second.
// CHECK:      sizes = [5, 7]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0]
// CHECK:      sizes = [5, 7]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0, 0, 0, 0],
// CHECK-NEXT: [168, 204, 240, 276, 312, 348, 384],
// CHECK-NEXT: [336, 408, 480, 552, 624, 696, 768],
// CHECK-NEXT: [504, 612, 720, 828, 936, 1044, 1152],
// CHECK-NEXT: [672, 816, 960, 1104, 1248, 1392, 1536{{\]\]}}
