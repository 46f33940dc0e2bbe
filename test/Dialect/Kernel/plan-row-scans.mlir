// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// Scans of rows by their lengths: a thread, a few lanes, a warp, a block; several
// blocks where rows are few and long. Those that start at aligned places go by
// vectors.
// CHECK: #[[V0:.*]] = affine_set<()[s0, s1] : (-s0 + 8 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V1:.*]] = affine_set<()[s0, s1] : (-s0 + 64 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V2:.*]] = affine_set<()[s0, s1] : (-s0 + 256 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V3:.*]] = affine_set<()[s0, s1] : (-s0 + 1024 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V4:.*]] = affine_set<()[s0, s1] : (-s0 + 2048 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V5:.*]] = affine_set<()[s0, s1] : (-s0 + 16384 >= 0, s0 - 8193 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V6:.*]] = affine_set<()[s0, s1] : (-s1 + 264 >= 0, s0 - 65536 >= 0, -(s0 mod 4) >= 0)>
// CHECK: #[[V7:.*]] = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0)>
// CHECK: #[[V8:.*]] = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK: #[[V9:.*]] = affine_set<()[s0, s1] : (-s0 + 64 >= 0)>
// CHECK: #[[V10:.*]] = affine_set<()[s0, s1] : (-s0 + 256 >= 0)>
// CHECK: #[[V11:.*]] = affine_set<()[s0, s1] : (-s0 + 320 >= 0)>
// CHECK: #[[V12:.*]] = affine_set<()[s0, s1] : (-s0 + 512 >= 0)>
// CHECK: #[[V13:.*]] = affine_set<()[s0, s1] : (-s0 + 1024 >= 0)>
// CHECK: #[[V14:.*]] = affine_set<()[s0, s1] : (-s1 + 264 >= 0, s0 - 65536 >= 0)>
// CHECK-LABEL: @rows
// CHECK: versions [<when = #[[V0]], i = [block.0, thread.y 128], l = [seq 1, thread.x 2, vector 4],
// CHECK-SAME: i = [block.0, thread.y 64], l = [seq 1, thread.x 4, vector 4],
// CHECK-SAME: i = [block.0, thread.y 32], l = [seq 1, thread.x 8, vector 4],
// CHECK-SAME: <when = #[[V1]], i = [block.0, thread.y 16], l = [seq 1, thread.x 16, vector 4],
// CHECK-SAME: <when = #[[V2]], i = [block.0, thread.y 8], l = [seq 1, unroll 2, thread.x 32, vector 4],
// CHECK-SAME: <when = #[[V3]], i = [block.0, thread.y 8], l = [seq 1, unroll 8, thread.x 32, vector 4],
// CHECK-SAME: <when = #[[V4]], i = [block.0], l = [seq 1, thread.y 2, unroll 8, thread.x 32, vector 4],
// CHECK-SAME: <when = #[[V5]], i = [block.0], l = [seq, thread.y 16, unroll 8, thread.x 32, vector 4],
// CHECK-SAME: <when = #[[V6]], i = [block.1], l = [block.0, thread.y 8, unroll 8, thread.x 32, vector 4],
// CHECK-SAME: <when = #[[V7]], i = [block.0], l = [seq, thread.y 8, unroll 4, thread.x 32, vector 4],
// CHECK-SAME: <when = #[[V8]], i = [block.0, unroll 2, thread.x 128], l = [seq], {{[^>]*}} stage = [{{S[0-9]}} at i.0 rows, {{S[0-9]}} at i.0 rows]{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.x 64], l = [seq], {{[^>]*}} rows]{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.x 64], l = [seq], {{[^>]*}} rows]{{(, index 32)?}}>,
// CHECK-SAME: <when = #[[V9]], i = [block.0, thread.y 32], l = [seq 1, unroll 8, thread.x 8],
// CHECK-SAME: <when = #[[V10]], i = [block.0, thread.y 8], l = [seq 1, unroll 8, thread.x 32],
// CHECK-SAME: <when = #[[V11]], i = [block.0, thread.y 8], l = [seq 1, unroll 10, thread.x 32],
// CHECK-SAME: <when = #[[V12]], i = [block.0, thread.y 8], l = [seq 1, unroll 16, thread.x 32],
// CHECK-SAME: <when = #[[V13]], i = [block.0], l = [seq 1, thread.y 4, unroll 8, thread.x 32],
// CHECK-SAME: <when = #[[V14]], i = [block.1], l = [block.0, thread.y 8, unroll 16, thread.x 32],
// CHECK-SAME: <i = [block.0], l = [seq, thread.y 8, unroll 8, thread.x 32],
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%R = %n : index, %N = %m : index, %X[%R, %N] = %x : memref<?x?xf32>) outs (%Y[%R, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %R {
      %t = kernel.for "l" (%l) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %l] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %Y[%i, %l] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// A length that is a number needs no versions.
// CHECK-LABEL: @fixed
// CHECK: schedule #kernel.schedule<i = [block.0, thread.y 32], l = [seq 1, unroll 8, thread.x 8],
func.func @fixed(%x: memref<?x50xf32>, %y: memref<?x50xf32>, %n: index) {
  kernel.launch @k (%R = %n : index, %X[%R, 50] = %x : memref<?x50xf32>) outs (%Y[%R, 50] = %y : memref<?x50xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %R {
      %t = kernel.for "l" (%l) in 50 scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %l] : memref<?x50xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %Y[%i, %l] : memref<?x50xf32>
      }
    }
  }
  return
}
}

// -----

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {

// Threads fold a row in the order they like, and scan it in its own: the scan has
// a dimension of its own, and a second one the same.
// CHECK-LABEL: @fold_and_scans
// CHECK: order = [i.0, l.1, l.0, l_2.0, l_2.1]
// CHECK: kernel.for "l" {{.*}} reduce
// CHECK: kernel.for "l_2" {{.*}} scan
// CHECK: kernel.for "l_2" {{.*}} scan
func.func @fold_and_scans(%n: index, %m: index, %x: memref<?x?xi64>, %y: memref<?x?xi64>) {
  kernel.launch @fold_and_scans (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xi64>) outs (%Y[%N, %M] = %y : memref<?x?xi64>) {
    %zero = arith.constant 0 : i64
    kernel.for "i" (%i) in %N {
      %most = kernel.for "l" (%l) in %M reduce (%zero : i64) by arith.maxsi {
        %v = kernel.load %X[%i, %l] : memref<?x?xi64>
        kernel.yield %v : i64
      }
      %total = kernel.for "l" (%l) in %M scan (%zero : i64) by arith.addi {
        %v = kernel.load %X[%i, %l] : memref<?x?xi64>
        %p = kernel.prefix %v : i64
        %r = arith.subi %p, %most : i64
        kernel.store %r, %Y[%i, %l] : memref<?x?xi64>
      }
      %all = kernel.for "l" (%l) in %M scan (%most : i64) by arith.addi {
        %v = kernel.load %X[%i, %l] : memref<?x?xi64>
        %p = kernel.prefix exclusive %v : i64
        kernel.store %p, %X[%i, %l] : memref<?x?xi64>
      }
    }
  }
  return
}

}
