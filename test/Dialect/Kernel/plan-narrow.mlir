// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Rows that start anywhere: as many lanes as a short one has elements, a span
// of a long one; blocks that read one place of B run at the same time.
// CHECK-DAG: #[[FOUR:.*]] = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK-DAG: #[[FULL:.*]] = affine_set<()[s0, s1] : (-s0 + 32 >= 0)>
// CHECK-DAG: #[[LONG:.*]] = affine_set<()[s0, s1] : (s0 - 8192 >= 0)>
// CHECK-LABEL: @rows
// CHECK: <when = #[[FOUR]], i = [block.0, unroll 8, thread.y 64], j = [thread.x 4], order = [i.0, i.2, j.0, i.1], split boundary{{(, index 32)?}}>
// CHECK-SAME: i = [block.0, unroll 8, thread.y 32], j = [thread.x 8]
// CHECK-SAME: i = [block.0, unroll 8, thread.y 16], j = [thread.x 16]
// CHECK-SAME: <when = #[[FULL]], i = [block.0, unroll 8, thread.y 8], j = [thread.x 32]
// CHECK-SAME: <when = #[[LONG]], i = [block.0], j = [block.1, unroll 8, thread.x 256], order = [j.0, i.0, j.2, j.1], split boundary{{(, index 32)?}}>
// CHECK-SAME: <i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32]
func.func @rows(%x: memref<?x?xf32>, %b: memref<?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %B[%M] = %b : memref<?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %u = kernel.load %X[%i, %j] : memref<?x?xf32>
      %v = kernel.load %B[%j] : memref<?xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Points: no versions. Two arrays of 8 bytes are enough for two at a time.
// CHECK-LABEL: @points
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 2, thread.y 64], j = [thread.x 4], order = [i.0, i.2, j.0, i.1], split boundary>
func.func @points(%x: memref<?x3xf64>, %z: memref<?x3xf64>, %b: memref<3xf64>, %y: memref<?x3xf64>, %n: index) {
  kernel.launch @k (%X[%N, 3] = %x : memref<?x3xf64>, %Z[%N, 3] = %z : memref<?x3xf64>, %B[3] = %b : memref<3xf64>, %N = %n : index) outs (%Y[%N, 3] = %y : memref<?x3xf64>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 3 {
      %u = kernel.load %X[%i, %j] : memref<?x3xf64>
      %t = kernel.load %Z[%i, %j] : memref<?x3xf64>
      %v = kernel.load %B[%j] : memref<3xf64>
      %w = math.fma %u, %v, %t : f64
      kernel.store %w, %Y[%i, %j] : memref<?x3xf64>
    } }
  }
  return
}

// -----

// Neighbouring rows share a halo: they stay in one thread.
// CHECK-LABEL: @halo
// CHECK: schedule #kernel.schedule<i = [block.2], j = [block.1, thread.y 64, unroll 8], q = [block.0, thread.x 4]
func.func @halo(%x: memref<?x?x3xf32>, %y: memref<?x?x3xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M, 3] = %x : memref<?x?x3xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M, 3] = %y : memref<?x?x3xf32>) {
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "q" (%q) in 3 {
      %left = arith.subi %j, %one : index
      %a = kernel.load %X[%i, %j, %q] : memref<?x?x3xf32>
      %b = kernel.load %X[%i, %left, %q] edge [none, clamp, none] : memref<?x?x3xf32>
      %v = arith.addf %a, %b : f32
      kernel.store %v, %Y[%i, %j, %q] : memref<?x?x3xf32>
    } } }
  }
  return
}

// -----

// A window over two dimensions: a thread goes along the one that lanes do not
// walk, where it is long, so that what a warp reads at one tap is one stretch.
// CHECK: #[[LONG:.*]] = affine_set<()[s0] : (s0 - 16 >= 0)>
// CHECK-LABEL: @planes
// CHECK: versions [<when = #[[LONG]], i = [block.2, unroll 4], j = [block.1, thread.y 64], q = [block.0, thread.x 4]
// CHECK-SAME: <i = [block.2], j = [block.1, thread.y 64, unroll 4], q = [block.0, thread.x 4]
func.func @planes(%x: memref<?x?x3xf32>, %y: memref<?x?x3xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M, 3] = %x : memref<?x?x3xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M, 3] = %y : memref<?x?x3xf32>) {
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "q" (%q) in 3 {
      %left = arith.subi %j, %one : index
      %up = arith.subi %i, %one : index
      %a = kernel.load %X[%i, %j, %q] : memref<?x?x3xf32>
      %b = kernel.load %X[%i, %left, %q] edge [none, clamp, none] : memref<?x?x3xf32>
      %c = kernel.load %X[%up, %j, %q] edge [clamp, none, none] : memref<?x?x3xf32>
      %v = arith.addf %a, %b : f32
      %w = arith.addf %v, %c : f32
      kernel.store %w, %Y[%i, %j, %q] : memref<?x?x3xf32>
    } } }
  }
  return
}

// -----

// Short rows that are only written are one class.
// CHECK: affine_set<()[s0, s1] : (-s0 + 8 >= 0)>
// CHECK: affine_set<()[s0, s1] : (-s1 + 8 >= 0, s0 - 2048 >= 0)>
// CHECK-NOT: affine_set
// CHECK-LABEL: @fill
// CHECK: i = [block.0, unroll 4, thread.y 32], j = [thread.x 8]
// CHECK-SAME: <i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 32]
func.func @fill(%y: memref<?x?xi1>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %K] = %y : memref<?x?xi1>) {
    %c = arith.constant true
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %at = arith.addi %j, %one : index
      kernel.store %c, %Y[%i, %at] : memref<?x?xi1>
    } }
  }
  return
}

// -----

// Transposes: lanes along the rows of the result, if these are short; else
// across those of the operand; else tiles, that have all of the shorter side.
// CHECK-DAG: #[[FOUR:.*]] = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK-DAG: #[[EIGHT:.*]] = affine_set<()[s0, s1] : (-s0 + 8 >= 0)>
// CHECK-DAG: #[[OTHER:.*]] = affine_set<()[s0, s1] : (-s1 + 8 >= 0)>
// CHECK-DAG: #[[TILE:.*]] = affine_set<()[s0, s1] : (-s0 + 32 >= 0)>
// CHECK-DAG: #[[OTHERTILE:.*]] = affine_set<()[s0, s1] : (-s1 + 32 >= 0)>
// CHECK-DAG: #[[WHOLE:.*]] = affine_set<()[s0, s1] : (-(s0 mod 8) >= 0)>
// CHECK-LABEL: @transposed
// CHECK: <when = #[[FOUR]], i = [block.0, unroll 8, thread.y 64], j = [thread.x 4]
// CHECK-SAME: <when = #[[EIGHT]], i = [block.0, unroll 8, thread.y 32], j = [thread.x 8]
// CHECK-SAME: <when = #[[OTHER]], i = [seq], j = [block.0, unroll 4, thread.x 256], order = [j.0, j.2, j.1, i.0], split boundary{{(, index 32)?}}>
// CHECK-SAME: <when = #[[TILE]], i = [block.0, unroll 16, thread.y 8], j = [thread.x 32], order = [i.0, i.2, j.0, i.1], stage = [S0 at i.0 shared pad 1], split boundary{{(, index 32)?}}>
// CHECK-SAME: <when = #[[OTHERTILE]], i = [unroll 4, thread.y 8], j = [block.0, unroll 4, thread.x 32], order = [j.0, i.1, j.2, i.0, j.1], stage = [S0 at j.0 shared pad 1], split boundary{{(, index 32)?}}>
// CHECK-SAME: <when = #[[WHOLE]], i = [block.1, unroll 8, thread.y 8], j = [block.0, unroll 2, thread.x 32]
// CHECK-SAME: stage = [S0 at j.0 shared pad 1]
// CHECK-SAME: <i = [block.1, unroll 4, thread.y 8], j = [block.0, unroll 4, thread.x 32]
// CHECK-SAME: stage = [S0 at j.0 shared pad 1]
// CHECK-SAME: of (%M, %N)
func.func @transposed(%a: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%A[%M, %N] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %v = kernel.load %A[%j, %i] : memref<?x?xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Points turned into planes, and back. Squares are tiles.
// CHECK-LABEL: @planes
// CHECK: schedule #kernel.schedule<i = [seq], j = [block.0, unroll 4, thread.x 256]
// CHECK-LABEL: @points
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 8, thread.y 64], j = [thread.x 4]
// CHECK-LABEL: @square
// CHECK: versions [<when = #{{.*}}, i = [block.1, unroll 8, thread.y 8], j = [block.0, unroll 2, thread.x 32]
// CHECK-SAME: <i = [block.1, unroll 4, thread.y 8], j = [block.0, unroll 4, thread.x 32]
func.func @planes(%a: memref<?x3xf32>, %y: memref<3x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, 3] = %a : memref<?x3xf32>, %N = %n : index) outs (%Y[3, %N] = %y : memref<3x?xf32>) {
    kernel.for "i" (%i) in 3 { kernel.for "j" (%j) in %N {
      %v = kernel.load %A[%j, %i] : memref<?x3xf32>
      kernel.store %v, %Y[%i, %j] : memref<3x?xf32>
    } }
  }
  return
}
func.func @points(%a: memref<3x?xf32>, %y: memref<?x3xf32>, %n: index) {
  kernel.launch @k (%A[3, %N] = %a : memref<3x?xf32>, %N = %n : index) outs (%Y[%N, 3] = %y : memref<?x3xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 3 {
      %v = kernel.load %A[%j, %i] : memref<3x?xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x3xf32>
    } }
  }
  return
}
func.func @square(%a: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N] = %a : memref<?x?xf32>, %N = %n : index) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %v = kernel.load %A[%j, %i] : memref<?x?xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Of three dimensions rows that would leave half of the lanes idle, as there are
// too few of them for fewer lanes, are no narrow ones: the judge finds more.
// CHECK-DAG: affine_set<()[s0, s1{{.*}}] : (-s0 + 4 >= 0, s1 - 256 >= 0, s0 - 3 >= 0)>
// CHECK-DAG: affine_set<()[s0, s1{{.*}}] : (-s0 + 8 >= 0, s1 - 128 >= 0, s0 - 5 >= 0)>
// CHECK-LABEL: @boxes
// CHECK: deal threads
func.func @boxes(%x: memref<?x?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%X[%N, %M, %K] = %x : memref<?x?x?xf32>, %B[%N, %K] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M, %K] = %y : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "l" (%l) in %K {
      %a = kernel.load %X[%i, %j, %l] : memref<?x?x?xf32>
      %c = kernel.load %B[%i, %l] : memref<?x?xf32>
      %v = arith.addf %a, %c : f32
      kernel.store %v, %Y[%i, %j, %l] : memref<?x?x?xf32>
    } } }
  }
  return
}
