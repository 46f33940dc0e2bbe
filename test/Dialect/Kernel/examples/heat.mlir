// Heat step with the norm in one nest, and its blocks split into interior and boundary.
//
// RUN: arr-opt %s --kernel-lower-sequential | %run_mlir | FileCheck %s

func.func @plain(%t: memref<?x?xf32>, %nx: memref<?x?xf32>, %e: memref<f32>, %n: index, %m: index) {
  kernel.launch @heat (%T[%N, %M] = %t : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%O[%N, %M] = %nx : memref<?x?xf32>, %E = %e : memref<f32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %q = arith.constant 0.25 : f32
    %r = kernel.for "i" (%i) in %N reduce (%ninf : f32) by arith.maximumf {
      %r1 = kernel.for "j" (%j) in %M reduce (%ninf : f32) by arith.maximumf {
        %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %jm = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
        %jp = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
        %a = kernel.load %T[%im, %j] edge [clamp, clamp] : memref<?x?xf32>
        %b = kernel.load %T[%ip, %j] edge [clamp, clamp] : memref<?x?xf32>
        %c = kernel.load %T[%i, %jm] edge [clamp, clamp] : memref<?x?xf32>
        %d = kernel.load %T[%i, %jp] edge [clamp, clamp] : memref<?x?xf32>
        %s1 = arith.addf %a, %b : f32
        %s2 = arith.addf %s1, %c : f32
        %s3 = arith.addf %s2, %d : f32
        %v = arith.mulf %s3, %q : f32
        kernel.store %v, %O[%i, %j] : memref<?x?xf32>
        %o = kernel.load %T[%i, %j] : memref<?x?xf32>
        %df = arith.subf %v, %o : f32
        %ab = math.absf %df : f32
        kernel.yield %ab : f32
      }
      kernel.yield %r1 : f32
    }
    kernel.store %r, %E[] : memref<f32>
  }
  return
}
// i = [block.y, unroll 2], j = [block.x, thread.x 4]; boundary split per block
func.func @sched(%t: memref<?x?xf32>, %nx: memref<?x?xf32>, %e: memref<f32>, %n: index, %m: index) {
  kernel.launch @heat (%T[%N, %M] = %t : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%O[%N, %M] = %nx : memref<?x?xf32>, %E = %e : memref<f32>) {
    %ninf = arith.constant 0xFF800000 : f32
    %q = arith.constant 0.25 : f32
    %c1 = arith.constant 1 : index
    %gi = affine.apply affine_map<(d0) -> (d0 ceildiv 2)>(%N)
    %gj = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%M)
    %r = kernel.for "i.0" (%bi) in %gi at block.y reduce (%ninf : f32) by arith.maximumf {
      %rx = kernel.for "j.0" (%bj) in %gj at block.x reduce (%ninf : f32) by arith.maximumf {
        %ilo = affine.apply affine_map<(d0) -> (d0 * 2)>(%bi)
        %ihi = affine.apply affine_map<(d0) -> (d0 * 2 + 2)>(%bi)
        %jlo = affine.apply affine_map<(d0) -> (d0 * 4)>(%bj)
        %jhi = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%bj)
        %p0 = arith.cmpi sge, %ilo, %c1 : index
        %p1 = arith.cmpi slt, %ihi, %N : index
        %p2 = arith.cmpi sge, %jlo, %c1 : index
        %p3 = arith.cmpi slt, %jhi, %M : index
        %p4 = arith.andi %p0, %p1 : i1
        %p5 = arith.andi %p2, %p3 : i1
        %interior = arith.andi %p4, %p5 : i1
        %rb = scf.if %interior -> f32 {
          %w = kernel.for "j.1" (%jt) in 4 at thread.x reduce (%ninf : f32) by arith.maximumf {
            %w1 = kernel.for "i.1" (%iu) in 2 at unroll reduce (%ninf : f32) by arith.maximumf {
              %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%bi, %iu)
              %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%bj, %jt)
              %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
              %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
              %jm = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
              %jp = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
              %a = kernel.load %T[%im, %j] : memref<?x?xf32>
              %b = kernel.load %T[%ip, %j] : memref<?x?xf32>
              %c = kernel.load %T[%i, %jm] : memref<?x?xf32>
              %d = kernel.load %T[%i, %jp] : memref<?x?xf32>
              %s1 = arith.addf %a, %b : f32
              %s2 = arith.addf %s1, %c : f32
              %s3 = arith.addf %s2, %d : f32
              %v = arith.mulf %s3, %q : f32
              kernel.store %v, %O[%i, %j] : memref<?x?xf32>
              %o = kernel.load %T[%i, %j] : memref<?x?xf32>
              %df = arith.subf %v, %o : f32
              %ab = math.absf %df : f32
              kernel.yield %ab : f32
            }
            kernel.yield %w1 : f32
          }
          scf.yield %w : f32
        } else {
          %w = kernel.for "j.1" (%jt) in 4 at thread.x reduce (%ninf : f32) by arith.maximumf {
            %w1 = kernel.for "i.1" (%iu) in 2 at unroll reduce (%ninf : f32) by arith.maximumf {
              %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%bi, %iu)
              %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%bj, %jt)
              %ii = arith.cmpi slt, %i, %N : index
              %jj = arith.cmpi slt, %j, %M : index
              %in = arith.andi %ii, %jj : i1
              %z = arith.constant 0.0 : f32
              %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
              %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
              %jm = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
              %jp = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
              %a = kernel.load %T[%im, %j] edge [clamp, clamp] if %in : memref<?x?xf32>
              %b = kernel.load %T[%ip, %j] edge [clamp, clamp] if %in : memref<?x?xf32>
              %c = kernel.load %T[%i, %jm] edge [clamp, clamp] if %in : memref<?x?xf32>
              %d = kernel.load %T[%i, %jp] edge [clamp, clamp] if %in : memref<?x?xf32>
              %s1 = arith.addf %a, %b : f32
              %s2 = arith.addf %s1, %c : f32
              %s3 = arith.addf %s2, %d : f32
              %v = arith.mulf %s3, %q : f32
              kernel.store %v, %O[%i, %j] if %in : memref<?x?xf32>
              %o = kernel.load %T[%i, %j] if %in : memref<?x?xf32>
              %df = arith.subf %v, %o : f32
              %ab = math.absf %df : f32
              %ct = arith.select %in, %ab, %ninf : f32
              kernel.yield %ct : f32
            }
            kernel.yield %w1 : f32
          }
          scf.yield %w : f32
        }
        kernel.yield %rb : f32
      }
      kernel.yield %rx : f32
    }
    kernel.store %r, %E[] : memref<f32>
  }
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 7 : index
  %m = arith.constant 14 : index
  %t = memref.alloc(%n, %m) : memref<?x?xf32>
  %x = memref.alloc(%n, %m) : memref<?x?xf32>
  %y = memref.alloc(%n, %m) : memref<?x?xf32>
  %e = memref.alloc() : memref<f32>
  %e2 = memref.alloc() : memref<f32>
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %ij = arith.muli %i, %j : index
    %v = arith.index_cast %ij : index to i64
    %q = arith.sitofp %v : i64 to f32
    %g = arith.mulf %q, %q : f32
    memref.store %g, %t[%i, %j] : memref<?x?xf32> } }
  func.call @plain(%t, %x, %e, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, memref<f32>, index, index) -> ()
  func.call @sched(%t, %y, %e2, %n, %m) : (memref<?x?xf32>, memref<?x?xf32>, memref<f32>, index, index) -> ()
  scf.for %i = %c0 to %n step %c1 { scf.for %j = %c0 to %m step %c1 {
    %p = memref.load %x[%i, %j] : memref<?x?xf32>
    %q = memref.load %y[%i, %j] : memref<?x?xf32>
    %d = arith.subf %p, %q : f32
    memref.store %d, %x[%i, %j] : memref<?x?xf32> } }
  %u = memref.cast %x : memref<?x?xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %ee = memref.cast %e : memref<f32> to memref<*xf32>
  func.call @printMemrefF32(%ee) : (memref<*xf32>) -> ()
  %ee2 = memref.cast %e2 : memref<f32> to memref<*xf32>
  func.call @printMemrefF32(%ee2) : (memref<*xf32>) -> ()
  return
}

// The difference of both answers, then both norms.
// CHECK:      sizes = [7, 14]
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// CHECK:      rank = 0
// CHECK-NEXT: [689.75]
// CHECK:      rank = 0
// CHECK-NEXT: [689.75]
