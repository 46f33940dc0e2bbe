// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Both dimensions have threads. Where rows start at multiples of 16 bytes a
// thread takes a vector; neighbouring rows stay in one thread. Few long rows
// leave all threads to the columns.
// CHECK: #[[FEW:.*]] = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, s0 - 1024 >= 0, -s1 + 4 >= 0)>
// CHECK: #[[ALIGNED:.*]] = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, s0 - 256 >= 0)>
// CHECK-LABEL: @plane
// CHECK: versions [<when = #[[FEW]], i = [block.1, unroll 4], j = [block.0, thread.x 256, vector 4], order = [i.0, j.0, j.1, i.1, j.2], split boundary>,
// CHECK-SAME: <when = #[[ALIGNED]], i = [block.1, thread.y 8, unroll 2], j = [block.0, thread.x 32, vector 4], order = [i.0, j.0, i.1, j.1, i.2, j.2], split boundary>,
// CHECK-SAME: <i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.1, j.1, i.2], split boundary>] of (%M, %N)
func.func @plane(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %v = kernel.load %X[%i, %j] : memref<?x?xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Elements of 8 bytes: two; neighbours are read, so more rows a thread.
// CHECK: affine_set<()[s0] : (-(s0 mod 2) >= 0, s0 - 256 >= 0)>
// CHECK-LABEL: @neighbours
// CHECK: i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 32, vector 2]
func.func @neighbours(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf64>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf64>) {
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %up = arith.subi %i, %one : index
      %a = kernel.load %X[%i, %j] : memref<?x?xf64>
      %b = kernel.load %X[%up, %j] edge [clamp, none] : memref<?x?xf64>
      %v = arith.addf %a, %b : f64
      kernel.store %v, %Y[%i, %j] : memref<?x?xf64>
    } }
  }
  return
}

// -----

// A pitch that is known needs no condition, and one that is odd no version.
// CHECK-LABEL: @known
// CHECK: schedule #kernel.schedule<i = [block.1, thread.y 8, unroll 2], j = [block.0, thread.x 32, vector 4]
// CHECK: schedule #kernel.schedule<i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 32],
func.func @known(%y: memref<?x512xf32>, %x: memref<?x511xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%Y[%N, 512] = %y : memref<?x512xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 512 {
      kernel.store %z, %Y[%i, %j] : memref<?x512xf32>
    } }
  }
  kernel.launch @l (%N = %n : index) outs (%Y[%N, 511] = %x : memref<?x511xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 511 {
      kernel.store %z, %Y[%i, %j] : memref<?x511xf32>
    } }
  }
  return
}

// -----

// Two loops are two grids: no sizes to choose by. Few rows leave the threads
// to the columns.
// CHECK-LABEL: @two
// CHECK: schedule #kernel.schedule<i = [block.1, thread.y 2], j = [block.0, thread.x 128]
// CHECK-NOT: vector
func.func @two(%y: memref<2x?xf32>, %m: index) {
  kernel.launch @k (%M = %m : index) outs (%Y[2, %M] = %y : memref<2x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in 2 { kernel.for "j" (%j) in %M {
      kernel.store %z, %Y[%i, %j] : memref<2x?xf32>
    } }
    kernel.for "k" (%i) in 2 { kernel.for "l" (%j) in %M {
      kernel.store %z, %Y[%i, %j] : memref<2x?xf32>
    } }
  }
  return
}

// -----

// What is stored off the start of a row stays in single elements.
// CHECK-LABEL: @shifted
// CHECK-NOT: vector
func.func @shifted(%y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %K {
      %at = arith.addi %j, %one : index
      kernel.store %z, %Y[%i, %at] : memref<?x?xf32>
    } }
  }
  return
}
