// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" | FileCheck %s

// Scans of columns: short ones have a thread each; tiles of few columns are long
// and have many threads, as each waits for those before it; where there are many
// columns, threads walk down; two columns a thread where rows are aligned.
// CHECK: #set = affine_set<()[s0, s1] : (s0 - 128 >= 0, -s1 + 8 >= 0)>
// CHECK: #set1 = affine_set<()[s0, s1] : (s0 - 128 >= 0, -s1 + 64 >= 0, s0 - 135168 >= 0)>
// CHECK: #set2 = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK: #set3 = affine_set<()[s0, s1] : (-s0 + 8 >= 0)>
// CHECK: #set4 = affine_set<()[s0, s1] : (-s0 + 16 >= 0)>
// CHECK: #set5 = affine_set<()[s0, s1] : (-s0 + 512 >= 0, s1 - 8192 >= 0)>
// CHECK: #set6 = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, -(s0 mod 64) >= 0, s0 - 67584 >= 0)>
// CHECK: #set7 = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, -(s0 mod 64) >= 0)>
// CHECK-LABEL: @columns
// CHECK: versions [<when = #set, j = [block.0, thread.x 256], i = [seq]
// CHECK-SAME: <when = #set1, j = [block.0, thread.x 256], i = [seq]
// CHECK-SAME: <when = #set2, j = [block.0, thread.x 4], i = [block.1, thread.z 8, unroll 32, thread.y 8]
// CHECK-SAME: <when = #set3, j = [block.0, thread.x 8], i = [block.1, thread.z 8, unroll 32, thread.y 4]
// CHECK-SAME: <when = #set4, j = [block.0, thread.x 16], i = [block.1, thread.z 8, unroll 32, thread.y 2]
// CHECK-SAME: <when = #set5, j = [block.0, thread.x 32], i = [block.1, thread.y 16, unroll 32]
// CHECK-SAME: <when = #set6, j = [block.0, thread.x 32, vector 2], i = [seq, thread.y 8, unroll 16]
// CHECK-SAME: <when = #set7, j = [block.0, thread.x 32, vector 2], i = [block.1, thread.y 8, unroll 16]
// CHECK-SAME: <j = [block.0, thread.x 32], i = [block.1, thread.y 8, unroll 32]
func.func @columns(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Arrays that lie across each other: lanes walk where more of them lie, and
// threads share what is scanned whichever that is, as rows may be few.
// CHECK-LABEL: @across
// CHECK: j = [block.0, thread.x 4], i = [block.1, thread.z 8, unroll 32, thread.y 8]
// CHECK-LABEL: @along
// CHECK: j = [block.1], i = [block.0, thread.y 8, unroll {{[0-9]+}}, thread.x 32
func.func @across(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %Y[%j, %i] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @along(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %W[%M, %N] = %w : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %u = kernel.load %X[%i, %j] : memref<?x?xf32>
        %v = kernel.load %W[%j, %i] : memref<?x?xf32>
        %s = arith.mulf %u, %v : f32
        %p = kernel.prefix %s : f32
        kernel.store %p, %Y[%j, %i] : memref<?x?xf32>
      }
    }
  }
  return
}
