// RUN: arr-opt %s --kernel-jam-loops --split-input-file | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// Loads stand in front of what may branch, but for one whose place is computed by it.
// CHECK-LABEL: @first
// CHECK-COUNT-6: kernel.load
// CHECK: arith.divf
// CHECK: arith.divf
// CHECK-COUNT-2: kernel.load
// CHECK: kernel.store
func.func @first(%x: memref<?xf32>, %y: memref<?xf32>, %s: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xf32>, %Y[%N] = %y : memref<?xf32>) outs (%S[%N] = %s : memref<?xf32>) {
    kernel.for "t" (%t) in 256 at thread.x {
      kernel.for "i.1" (%u) in 2 at unroll {
        %i = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 256)>(%t, %u)
        %a = kernel.load %X[%i] : memref<?xf32>
        %b = kernel.load %Y[%i] : memref<?xf32>
        %q = arith.divf %a, %b : f32
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%t, %u)
        %c = kernel.load %X[%j] : memref<?xf32>
        %w = arith.fptoui %q : f32 to i32
        %p = arith.index_cast %w : i32 to index
        %d = kernel.load %Y[%p] : memref<?xf32>
        %v = arith.addf %c, %d : f32
        %r = arith.mulf %v, %q : f32
        kernel.store %r, %S[%i] : memref<?xf32>
      }
    }
  }
  return
}

// Not across a store.
// CHECK-LABEL: @no_store_between
// CHECK: arith.divf
// CHECK: kernel.store
// CHECK: kernel.load
// CHECK: kernel.store
func.func @no_store_between(%x: memref<?xf32>, %s: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xf32>) outs (%S[%N] = %s : memref<?xf32>) {
    kernel.for "t" (%t) in 256 at thread.x {
      %a = kernel.load %X[%t] : memref<?xf32>
      %q = arith.divf %a, %a : f32
      kernel.store %q, %S[%t] : memref<?xf32>
      %c = kernel.load %S[%t] : memref<?xf32>
      kernel.store %c, %S[%t] : memref<?xf32>
    }
  }
  return
}
}
