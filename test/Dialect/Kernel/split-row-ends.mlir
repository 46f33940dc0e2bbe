// RUN: arr-opt %s --kernel-split-boundary --canonicalize | FileCheck %s
// RUN: arr-opt %s --kernel-split-boundary --canonicalize --kernel-jam-loops --canonicalize --cse | FileCheck %s --check-prefix=JAM

// Blocks take long pieces of rows: many have an end of one. What is at no other
// edge stays expanded there, and keeps the edge along the row; the rest runs
// row by row.
// CHECK-LABEL: @ends
// CHECK: scf.if
// CHECK:   scf.if
// CHECK:     kernel.for "i.1" {{.*}} at unroll
// CHECK-NOT: edge
// CHECK:   } else {
// CHECK:     kernel.for "i.1" {{.*}} at unroll
// CHECK:       kernel.load %{{.*}} : memref<?x?xf32>
// CHECK:       kernel.load %{{.*}} edge [none, clamp] : memref<?x?xf32>
// CHECK: } else {
// CHECK:   kernel.for "i.1" {{.*}} at seq
// CHECK:     kernel.load %{{.*}} edge [clamp, none] : memref<?x?xf32>
// CHECK:     kernel.load %{{.*}} edge [none, clamp] : memref<?x?xf32>
// CHECK: return

// Of four neighbours three are where the thread stores: one load a row has an
// edge.
// JAM-LABEL: @ends
// JAM: } else {
// JAM-COUNT-2: edge [none, clamp]
// JAM-NOT: edge [none, clamp]
// JAM: } else {
// JAM: kernel.for "i.1" {{.*}} at seq
module attributes {kernel.device = #kernel.device<"cuda", {vector_bytes = 16}>} {
func.func @ends(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 2], j = [block.0, thread.x 32, vector 4], split boundary> {
    %rows = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%N]
    %columns = affine.apply affine_map<()[s0] -> (s0 floordiv 128)>()[%M]
    kernel.for "i.0" (%a) in %rows at block.1 {
      kernel.for "j.0" (%b) in %columns at block.0 {
        kernel.for "j.1" (%t) in 32 at thread.x {
          kernel.for "i.1" (%u) in 2 at unroll {
            kernel.for "j.2" (%v) in 4 at vector {
              %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%a, %u)
              %j = affine.apply affine_map<(d0, d1, d2) -> (d0 * 128 + d1 * 4 + d2)>(%b, %t, %v)
              %above = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
              %left = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
              %p = kernel.load %X[%above, %j] edge [clamp, none] : memref<?x?xf32>
              %q = kernel.load %X[%i, %left] edge [none, clamp] : memref<?x?xf32>
              %s = arith.addf %p, %q : f32
              kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}

// The same of loads that give a number outside of the array.
// CHECK-LABEL: @filled
// CHECK: scf.if
// CHECK:   scf.if
// CHECK:     kernel.for "i.1" {{.*}} at unroll
// CHECK-NOT: cmpi ult
// CHECK:   } else {
// CHECK:     kernel.for "i.1" {{.*}} at unroll
// CHECK-COUNT-1: arith.cmpi ult
// CHECK-NOT: arith.cmpi ult
// CHECK: } else {
// CHECK:   kernel.for "j.2" {{.*}} at seq
// CHECK-COUNT-2: arith.cmpi ult
// CHECK: return
// JAM-LABEL: @filled
// JAM: } else {
// JAM-COUNT-1: arith.cmpi ult
// JAM-NOT: arith.cmpi ult
// JAM: } else {
// JAM: kernel.for "j.2" {{.*}} at seq
func.func @filled(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 2], j = [block.0, thread.x 32, vector 4], split boundary> {
    %z = arith.constant 0.0 : f32
    %rows = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%N]
    %columns = affine.apply affine_map<()[s0] -> (s0 floordiv 128)>()[%M]
    kernel.for "i.0" (%a) in %rows at block.1 {
      kernel.for "j.0" (%b) in %columns at block.0 {
        kernel.for "j.1" (%t) in 32 at thread.x {
          kernel.for "i.1" (%u) in 2 at unroll {
            kernel.for "j.2" (%v) in 4 at vector {
              %i = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%a, %u)
              %j = affine.apply affine_map<(d0, d1, d2) -> (d0 * 128 + d1 * 4 + d2)>(%b, %t, %v)
              %above = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
              %left = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
              %inRows = arith.cmpi ult, %above, %N : index
              %inRow = arith.cmpi ult, %left, %M : index
              %p0 = kernel.load %X[%above, %j] if %inRows : memref<?x?xf32>
              %p = arith.select %inRows, %p0, %z : f32
              %q0 = kernel.load %X[%i, %left] if %inRow : memref<?x?xf32>
              %q = arith.select %inRow, %q0, %z : f32
              %s = arith.addf %p, %q : f32
              kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}
}
