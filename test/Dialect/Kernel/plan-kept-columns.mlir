// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s

// Loops over a column keep what they read for each other, whatever their dimensions are called:
// a thread a column where these are short, or enough for all threads; blocks of 512 threads with
// 32 elements each for the longest.
// CHECK-LABEL: @normalised
// CHECK: kernel.launch @k ({{.*}}%[[X:.*]][%
// CHECK-SAME: j = [block.0, thread.x 256], a = [unroll 8]
// CHECK-SAME: stage = [S2 at j.1 register]
// CHECK-SAME: j = [block.0, thread.x 256], a = [unroll 16]
// CHECK-SAME: j = [block.0, thread.x 256], a = [unroll 32]
// CHECK-SAME: j = [block.0, thread.x 64], a = [unroll 16, thread.y 4]
// CHECK-SAME: j = [block.0, thread.x 64], a = [unroll 32, thread.y 4]
// CHECK-SAME: j = [block.0, thread.x 32], a = [unroll 32, thread.y 8]
// CHECK-SAME: j = [block.0, thread.x 32], a = [unroll 32, thread.y 16]
// CHECK-SAME: j = [block.0, thread.x 16], a = [unroll 32, thread.y 32]
// CHECK-SAME: j = [block.0, thread.x 8], a = [unroll 32, thread.y 64]
// CHECK-SAME: <j = [block.0, thread.x 32], a = [seq, seq 16, unroll 4, thread.y 16]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @normalised(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %f: f32) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>, %F = %f : f32) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "a" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      %mean = arith.mulf %s, %F : f32
      kernel.for "b" (%i) in %N {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.subf %a, %mean : f32
        kernel.store %d, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

// Loops that keep nothing for each other keep their dimensions.
// CHECK-LABEL: @apart
// CHECK-NOT: register
// CHECK: kernel.for "a"
// CHECK: kernel.for "b"
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @apart(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>, %W[%N, %M] = %w : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "a" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "b" (%i) in %N {
        %a = kernel.load %W[%i, %j] : memref<?x?xf32>
        %d = arith.subf %a, %s : f32
        kernel.store %d, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

// Of planes with few columns a block has several.
// CHECK-LABEL: @planes
// CHECK: kernel.launch @k
// CHECK-SAME: i = [block.1, thread.z 32], j = [block.0, thread.x 8], a = [unroll 8], order = [i.0, j.0, i.1, j.1, a.0], stage = [S3 at j.1 register]
// CHECK-SAME: i = [block.1, thread.z 16], j = [block.0, thread.x 16], a = [unroll 8]
// CHECK-SAME: i = [block.1, thread.z 8], j = [block.0, thread.x 32], a = [unroll 8]
// CHECK-SAME: i = [block.1], j = [block.0, thread.x 256], a = [unroll 8]
// CHECK-SAME: i = [block.1], j = [block.0, thread.x 64], a = [unroll 16, thread.y 4]
// CHECK-SAME: i = [block.1, thread.z 8], j = [block.0, thread.x 8], a = [unroll 32, thread.y 4]
// CHECK-SAME: i = [block.1, thread.z 4], j = [block.0, thread.x 8], a = [unroll 32, thread.y 16]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @planes(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>, %p: index, %n: index, %m: index, %f: f32) {
  kernel.launch @k (%P = %p : index, %N = %n : index, %M = %m : index, %X[%P, %N, %M] = %x : memref<?x?x?xf32>, %F = %f : f32) outs (%Y[%P, %N, %M] = %y : memref<?x?x?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %P {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "a" (%a) in %N reduce (%zero : f32) by arith.addf {
          %v = kernel.load %X[%i, %a, %j] : memref<?x?x?xf32>
          kernel.yield %v : f32
        }
        %mean = arith.divf %s, %F : f32
        kernel.for "b" (%b) in %N {
          %v = kernel.load %X[%i, %b, %j] : memref<?x?x?xf32>
          %d = arith.subf %v, %mean : f32
          kernel.store %d, %Y[%i, %b, %j] : memref<?x?x?xf32>
        }
      }
    }
  }
  return
}
}
