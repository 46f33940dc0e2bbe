// RUN: arr-opt %s --convert-kernel-to-gpu | FileCheck %s

// Neighbours under one mask share a branch: the back end makes one access of
// them. Another mask, or another array, is another branch.
// CHECK-LABEL: gpu.func @k
// CHECK: %[[V:.*]]:2 = scf.if %[[P:.*]] -> (f32, f32) {
// CHECK:   memref.load
// CHECK:   memref.load
// CHECK: } else {
// CHECK:   scf.yield %[[Z:.*]], %[[Z]] : f32, f32
// CHECK: %[[W:.*]] = scf.if %[[Q:.*]] -> (f32) {
// CHECK: scf.if %[[P]] {
// CHECK:   memref.store %[[V]]#1
// CHECK:   memref.store %[[V]]#0
// CHECK: }
// CHECK: scf.if %[[Q]] {
// CHECK:   memref.store %[[W]]
module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90", max_threads = 1024 : i64, ordered_blocks = 1 : i64, shared_bytes = 49152 : i64, subgroup = 32 : i64}>} {
func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%b) in %N at block.0 {
      kernel.for "j" (%t) in 32 at thread.x {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 96 + d1 * 3)>(%b, %t)
        %i1 = affine.apply affine_map<(d0, d1) -> (d0 * 96 + d1 * 3 + 1)>(%b, %t)
        %i2 = affine.apply affine_map<(d0, d1) -> (d0 * 96 + d1 * 3 + 2)>(%b, %t)
        %p = arith.cmpi slt, %i1, %N : index
        %q = arith.cmpi slt, %i2, %N : index
        %a = kernel.load %X[%i] if %p : memref<?xf32>
        %c = kernel.load %X[%i1] if %p : memref<?xf32>
        %d = kernel.load %X[%i2] if %q : memref<?xf32>
        kernel.store %c, %Y[%i] if %p : memref<?xf32>
        kernel.store %a, %Y[%i1] if %p : memref<?xf32>
        kernel.store %d, %Y[%i2] if %q : memref<?xf32>
      }
    }
  }
  return
}
}
