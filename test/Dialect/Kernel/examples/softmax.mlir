// Softmax of rows, and the same with rows kept on chip.
//
// RUN: arr-opt %s --kernel-lower-sequential | %run_mlir | FileCheck %s

func.func @plain(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @softmax (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %mx = kernel.for "j" (%j) in %M reduce (%ninf : f32) by arith.maximumf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %e = kernel.local (%M) : memref<?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %mx : f32
        %q = math.exp %d : f32
        kernel.store %q, %e[%j] : memref<?xf32>
        kernel.yield %q : f32
      }
      kernel.for "j" (%j) in %M {
        %q = kernel.load %e[%j] : memref<?xf32>
        %r = arith.divf %q, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// version m <= 32: block per row, row kept: j = [unroll 4, thread.x 4, vector 2]; locals [4][4][2], thread digit in the middle
func.func @sched(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @softmax (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.x {
      %row = kernel.local : memref<4x4x2xf32>
      %e = kernel.local : memref<4x4x2xf32>
      %mx = kernel.for "j.1" (%t) in 4 at thread.x reduce (%ninf : f32) by arith.maximumf {
        %a = kernel.for "j.0" (%u) in 4 at unroll reduce (%ninf : f32) by arith.maximumf {
          %b = kernel.for "j.2" (%v) in 2 at vector reduce (%ninf : f32) by arith.maximumf {
            %j = affine.apply affine_map<(d0, d1, d2) -> (d0 * 8 + d1 * 2 + d2)>(%u, %t, %v)
            %in = arith.cmpi slt, %j, %M : index
            %w0 = kernel.load %X[%i, %j] if %in : memref<?x?xf32>
            %w = arith.select %in, %w0, %ninf : f32
            kernel.store %w, %row[%u, %t, %v] : memref<4x4x2xf32>
            kernel.yield %w : f32
          }
          kernel.yield %b : f32
        }
        kernel.yield %a : f32
      }
      %s = kernel.for "j.1" (%t) in 4 at thread.x reduce (%z : f32) by arith.addf {
        %a = kernel.for "j.0" (%u) in 4 at unroll reduce (%z : f32) by arith.addf {
          %b = kernel.for "j.2" (%v) in 2 at vector reduce (%z : f32) by arith.addf {
            %w = kernel.load %row[%u, %t, %v] : memref<4x4x2xf32>
            %d = arith.subf %w, %mx : f32
            %q = math.exp %d : f32
            kernel.store %q, %e[%u, %t, %v] : memref<4x4x2xf32>
            kernel.yield %q : f32
          }
          kernel.yield %b : f32
        }
        kernel.yield %a : f32
      }
      kernel.for "j.1" (%t) in 4 at thread.x {
        kernel.for "j.0" (%u) in 4 at unroll {
          kernel.for "j.2" (%v) in 2 at vector {
            %j = affine.apply affine_map<(d0, d1, d2) -> (d0 * 8 + d1 * 2 + d2)>(%u, %t, %v)
            %in = arith.cmpi slt, %j, %M : index
            %q = kernel.load %e[%u, %t, %v] : memref<4x4x2xf32>
            %r = arith.divf %q, %s : f32
            kernel.store %r, %Y[%i, %j] if %in : memref<?x?xf32>
          }
        }
      }
    }
  }
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %m = arith.constant 13 : index
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  %w = memref.alloc(%n, %m) : memref<?x?xf32>
  %f = arith.constant 0.3 : f32
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %ij = arith.muli %i, %j : index
    %v = arith.index_cast %ij : index to i64
    %q = arith.sitofp %v : i64 to f32
    %g = arith.mulf %q, %f : f32
    memref.store %g, %x[%i, %j] : memref<?x?xf32> } }
  func.call @plain(%x, %y, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, index, index) -> ()
  func.call @sched(%x, %w, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, index, index) -> ()
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %a = memref.load %y[%i, %j] : memref<?x?xf32>
    %b = memref.load %w[%i, %j] : memref<?x?xf32>
    %d = arith.subf %a, %b : f32
    memref.store %d, %x[%i, %j] : memref<?x?xf32> } }
  %u = memref.cast %x : memref<?x?xf32> to memref<*xf32>
  %u2 = memref.cast %w : memref<?x?xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  func.call @printMemrefF32(%u2) : (memref<*xf32>) -> ()
  return
}

// The difference of both answers is rounding; then the second.
// CHECK:      sizes = [3, 13]
// CHECK-NOT:  {{ 0\.[0-9]|e-0[0-6]|nan}}
// CHECK:      sizes = [3, 13]
// CHECK-NEXT: {{\[\[}}0.0769231, 0.0769231,
// CHECK-NEXT: [0.00722812, 0.00975694,
// CHECK-NEXT: [0.000336989, 0.000614034,
