// RUN: arr-opt %s --kernel-split-loops --kernel-mask-tails --split-input-file | FileCheck %s

// Elements of the last tile are loaded under masks, in front of the branches
// that compute with them: a thread has all of its loads under way.

// CHECK-LABEL: @elements
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024 : i64, subgroup = 32 : i64, ordered_blocks = 1 : i64}>} {
func.func @elements(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, unroll 4, thread.x 32]> {
    %z = arith.constant 0.0 : f32
    // CHECK: } else {
    // CHECK: %[[IN:.*]] = arith.cmpi slt
    // CHECK-NEXT: %[[X:.*]] = kernel.load %X[%{{.*}}] if %[[IN]]
    // CHECK-NEXT: scf.if %[[IN]] -> (f32)
    // CHECK-NEXT: math.exp %[[X]]
    kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %e = math.exp %v : f32
      %p = kernel.prefix %e : f32
      kernel.store %p, %Y[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// Vectors that are there as a whole have one mask.

// CHECK-LABEL: @vectors
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024 : i64, subgroup = 32 : i64, ordered_blocks = 1 : i64}>} {
func.func @vectors(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %m = array.assume %n multiple 4 : index
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %m : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, unroll 4, thread.x 32, vector 4]> {
    %z = arith.constant 0.0 : f32
    // CHECK: } else {
    // CHECK: %[[IN:.*]] = arith.cmpi slt
    // CHECK-NEXT: kernel.for "i.3"
    // CHECK: %[[X:.*]] = kernel.load %X[%{{.*}}] if %[[IN]]
    // CHECK-NEXT: scf.if %[[IN]] -> (f32)
    // CHECK-NEXT: math.exp %[[X]]
    kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      %e = math.exp %v : f32
      %p = kernel.prefix %e : f32
      kernel.store %p, %Y[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// A thread that scans a column alone takes several elements at a time: all of
// them are loaded first, under masks at the end.

// CHECK-LABEL: @alone
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024 : i64, subgroup = 32 : i64, ordered_blocks = 1 : i64}>} {
func.func @alone(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) schedule #kernel.schedule<j = [block.0, thread.x 64], i = [seq, unroll 4]> {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i.0" (%{{.*}}) in %{{.*}} at seq scan
    // CHECK: %[[KEPT:.*]] = kernel.local : memref<4xf32>
    // CHECK: kernel.for "i.1" (%{{.*}}) in 4 at unroll
    // CHECK: kernel.load %X
    // CHECK: } else {
    // CHECK: kernel.load %X[%{{.*}}] if
    // CHECK: %[[SUM:.*]] = kernel.for "i.1" (%{{.*}}) in 4 at unroll reduce
    // CHECK: %[[START:.*]] = kernel.prefix exclusive %[[SUM]]
    // CHECK: kernel.for "i.1" (%{{.*}}) in 4 at unroll scan (%[[START]] : f32)
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %e = math.exp %v : f32
        %p = kernel.prefix %e : f32
        kernel.store %p, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}
