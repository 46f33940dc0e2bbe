// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Both dimensions have threads. Where rows start at multiples of 16 bytes a
// thread takes a vector; neighbouring rows stay in one thread. Few long rows
// leave all threads to the columns.
// CHECK: #[[FEW:.*]] = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, s0 - 1024 >= 0, -s1 + 4 >= 0)>
// CHECK: #[[ALIGNED:.*]] = affine_set<()[s0, s1] : (-(s0 mod 4) >= 0, s0 - 256 >= 0)>
// CHECK-LABEL: @plane
// CHECK: versions [<when = #[[FEW]], i = [block.1, unroll 4], j = [block.0, thread.x 256, vector 4], order = [i.0, j.0, j.1, i.1, j.2], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <when = #[[ALIGNED]], i = [block.1, thread.y 8, unroll 2], j = [block.0, thread.x 32, vector 4], order = [i.0, j.0, i.1, j.1, i.2, j.2], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32], order = [i.0, j.0, i.1, j.1, i.2], split boundary{{(, index 32)?}}>] of (%M, %N)
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

// The same of windows of which a thread goes along the rows.
// CHECK: #[[FEW:.*]] = affine_set<()[s0, s1] : (-s1 + {{[0-9]+}} >= 0, s0 - 256 >= 0)>
// CHECK-LABEL: @few_rows_of_windows
// CHECK: <when = #[[FEW]], i = [block.1, unroll [[U:[0-9]+]]], j = [block.0, thread.x 256], order = [i.0, j.0, j.1, i.1], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <i = [block.1, thread.y 8, unroll [[U]]], j = [block.0, thread.x 32],
func.func @few_rows_of_windows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %p: index) {
  kernel.launch @k (%X[%P, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %P = %p : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %i1 = arith.addi %i, %one : index
      %i2 = arith.addi %i, %two : index
      %a = kernel.load %X[%i, %j] : memref<?x?xf32>
      %b = kernel.load %X[%i1, %j] edge [clamp, none] : memref<?x?xf32>
      %c = kernel.load %X[%i2, %j] edge [clamp, none] : memref<?x?xf32>
      %v = arith.addf %a, %b : f32
      %w = arith.addf %v, %c : f32
      kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Few long rows that begin anywhere have blocks of their own: of a block over
// several most threads would have none.
// CHECK: #[[FEW:.*]] = affine_set<()[s0, s1, s2] : (-s2 + 8 >= 0, s1 - 2048 >= 0)>
// CHECK-LABEL: @few_rows
// CHECK: <when = #[[FEW]], i = [block.1], j = [block.0, unroll 2, thread.x 256], order = [i.0, j.0, j.2, j.1], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <i = [block.1, thread.y 8, unroll 2], j = [block.0, thread.x 32],
func.func @few_rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %p: index) {
  kernel.launch @k (%X[%N, %P] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %P = %p : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %j1 = arith.addi %j, %one : index
      %j2 = arith.addi %j, %two : index
      %a = kernel.load %X[%i, %j] : memref<?x?xf32>
      %b = kernel.load %X[%i, %j1] edge [none, clamp] : memref<?x?xf32>
      %c = kernel.load %X[%i, %j2] edge [none, clamp] : memref<?x?xf32>
      %v = arith.addf %a, %b : f32
      %w = arith.addf %v, %c : f32
      kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Elements of 8 bytes: two; neighbours are read, so more rows a thread.
// Of smaller arrays each multiprocessor gets a block only if threads do less.
// CHECK: affine_set<()[s0, s1] : (-(s0 mod 2) >= 0, s0 - 256 >= 0, s0 * s1 - {{[0-9]+}} >= 0)>
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

// -----

// Windows overlap: a thread takes several results, whose elements it loads once.
// Along the rows as many as registers allow, fewer where each is a vector.
// CHECK: #[[ALIGNED:.*]] = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, -(s1 mod 4) >= 0, s1 - 256 >= 0, s1 * s2 - {{[0-9]+}} >= 0)>
// CHECK-LABEL: @window
// CHECK: versions [<when = #[[ALIGNED]], i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 32, vector 4]
// CHECK-SAME: i = [block.1, thread.y 64, unroll 8], j = [block.0, thread.x 4]
// CHECK-SAME: i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32]
func.func @window(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %p: index, %q: index) {
  kernel.launch @k (%X[%P, %Q] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %P = %p : index, %Q = %q : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %last = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
      %a = kernel.load %X[%i, %j] : memref<?x?xf32>
      %b = kernel.load %X[%next, %j] edge [clamp, none] : memref<?x?xf32>
      %c = kernel.load %X[%last, %j] edge [clamp, none] : memref<?x?xf32>
      %s = arith.addf %a, %b : f32
      %t = arith.addf %s, %c : f32
      kernel.store %t, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Along the elements vectors share what they load; two taps do not repay it.
// CHECK-LABEL: @average
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 2, thread.x 256, vector 4]
// CHECK-LABEL: @difference
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 4, thread.x 256]
func.func @average(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %p: index) {
  kernel.launch @k (%X[%P] = %x : memref<?xf32>, %N = %n : index, %P = %p : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %last = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
      %a = kernel.load %X[%i] : memref<?xf32>
      %b = kernel.load %X[%next] : memref<?xf32>
      %c = kernel.load %X[%last] : memref<?xf32>
      %s = arith.addf %a, %b : f32
      %t = arith.addf %s, %c : f32
      kernel.store %t, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @difference(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %p: index) {
  kernel.launch @k (%X[%P] = %x : memref<?xf32>, %N = %n : index, %P = %p : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %a = kernel.load %X[%i] : memref<?xf32>
      %b = kernel.load %X[%next] : memref<?xf32>
      %s = arith.subf %b, %a : f32
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A dimension in the middle may be short: the block's other threads walk the
// outer one then, and fixed shapes are for where rows fill their blocks.
// CHECK: affine_set<()[s0, s1{{.*}}] : (-(s0 mod 4) >= 0, s0 - 256 >= 0, s1 - 16 >= 0)>
// CHECK-LABEL: @middle
// CHECK: i = [block.2], j = [block.1, thread.y 8, unroll 2], k = [block.0, thread.x 32, vector 4]
// CHECK-SAME: i = [block.2, thread.y {{[0-9]+}}], j = [block.1, unroll {{[0-9]+}}]
func.func @middle(%x: memref<?x?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?x?xf32>, %n: index, %m: index, %l: index) {
  kernel.launch @k (%X[%N, %M, %L] = %x : memref<?x?x?xf32>, %W[%N, %L] = %w : memref<?x?xf32>, %N = %n : index, %M = %m : index, %L = %l : index) outs (%Y[%N, %M, %L] = %y : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "k" (%k) in %L {
      %u = kernel.load %X[%i, %j, %k] : memref<?x?x?xf32>
      %v = kernel.load %W[%i, %k] : memref<?x?xf32>
      %s = arith.mulf %u, %v : f32
      kernel.store %s, %Y[%i, %j, %k] : memref<?x?x?xf32>
    } } }
  }
  return
}

// -----

// Windows overlap along two loops: a thread takes several planes, so that its
// block, whose rows share what lies beside them, asks L2 for each plane less
// often. Where planes are few, most would be at an edge.
// CHECK: #[[PLANES:.*]] = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, s0 - 256 >= 0, (s1 * s2) * s0 - {{[0-9]+}} >= 0, s1 - 16 >= 0)>
// CHECK-LABEL: @star
// CHECK: versions [<when = #[[PLANES]], i = [block.2, unroll 4], j = [block.1, thread.y 8], k = [block.0, thread.x 32, vector 4]
// CHECK-SAME: i = [block.2], j = [block.1, thread.y 8, unroll 4], k = [block.0, thread.x 32, vector 4]
// CHECK-SAME: i = [block.2, unroll 4], j = [block.1, thread.y 8], k = [block.0, thread.x 32],
// CHECK-LABEL: @few_planes
// CHECK: i = [block.2], j = [block.1, thread.y 8, unroll 4], k = [block.0, thread.x 32, vector 4]
func.func @star(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>, %n: index, %m: index, %l: index) {
  kernel.launch @k (%X[%N, %M, %L] = %x : memref<?x?x?xf32>, %N = %n : index, %M = %m : index, %L = %l : index) outs (%Y[%N, %M, %L] = %y : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "k" (%k) in %L {
      %above = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %below = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %left = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
      %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %a = kernel.load %X[%above, %j, %k] edge [clamp, none, none] : memref<?x?x?xf32>
      %b = kernel.load %X[%below, %j, %k] edge [clamp, none, none] : memref<?x?x?xf32>
      %c = kernel.load %X[%i, %left, %k] edge [none, clamp, none] : memref<?x?x?xf32>
      %d = kernel.load %X[%i, %right, %k] edge [none, clamp, none] : memref<?x?x?xf32>
      %e = kernel.load %X[%i, %j, %k] : memref<?x?x?xf32>
      %s = arith.addf %a, %b : f32
      %t = arith.addf %c, %d : f32
      %u = arith.addf %s, %t : f32
      %v = arith.addf %u, %e : f32
      kernel.store %v, %Y[%i, %j, %k] : memref<?x?x?xf32>
    } } }
  }
  return
}
func.func @few_planes(%x: memref<5x?x?xf32>, %y: memref<5x?x?xf32>, %m: index, %l: index) {
  kernel.launch @k (%X[5, %M, %L] = %x : memref<5x?x?xf32>, %M = %m : index, %L = %l : index) outs (%Y[5, %M, %L] = %y : memref<5x?x?xf32>) {
    kernel.for "i" (%i) in 5 { kernel.for "j" (%j) in %M { kernel.for "k" (%k) in %L {
      %above = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %below = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %left = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
      %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %a = kernel.load %X[%above, %j, %k] edge [clamp, none, none] : memref<5x?x?xf32>
      %b = kernel.load %X[%below, %j, %k] edge [clamp, none, none] : memref<5x?x?xf32>
      %c = kernel.load %X[%i, %left, %k] edge [none, clamp, none] : memref<5x?x?xf32>
      %d = kernel.load %X[%i, %right, %k] edge [none, clamp, none] : memref<5x?x?xf32>
      %s = arith.addf %a, %b : f32
      %t = arith.addf %c, %d : f32
      %u = arith.addf %s, %t : f32
      kernel.store %u, %Y[%i, %j, %k] : memref<5x?x?xf32>
    } } }
  }
  return
}

// -----

// A window along rows of bytes: where rows begin anywhere a thread takes two
// neighbours. They share most of what they load, and lanes whose bytes lie two
// apart ask for no more lines than before.
// CHECK-LABEL: @narrow_window
// CHECK: <i = [block.1, thread.y 8], j = [block.0, thread.x 32, unroll 2], order = [{{.*}}], split boundary{{(, index 32)?}}>]
// Of f32 they ask for twice as many.
// CHECK-LABEL: @wide_window
// CHECK: j = [block.0, thread.x 32], order = [{{.*}}], split boundary{{(, index 32)?}}>]
func.func @narrow_window(%x: memref<?x?xi8>, %y: memref<?x?xi8>, %n: index, %m: index, %p: index) {
  kernel.launch @k (%X[%N, %P] = %x : memref<?x?xi8>, %N = %n : index, %M = %m : index, %P = %p : index) outs (%Y[%N, %M] = %y : memref<?x?xi8>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %j1 = arith.addi %j, %c1 : index
      %j2 = arith.addi %j, %c2 : index
      %j3 = arith.addi %j, %c3 : index
      %j4 = arith.addi %j, %c4 : index
      %j5 = arith.addi %j, %c5 : index
      %a = kernel.load %X[%i, %j] : memref<?x?xi8>
      %b = kernel.load %X[%i, %j1] edge [none, clamp] : memref<?x?xi8>
      %c = kernel.load %X[%i, %j2] edge [none, clamp] : memref<?x?xi8>
      %d = kernel.load %X[%i, %j3] edge [none, clamp] : memref<?x?xi8>
      %g = kernel.load %X[%i, %j4] edge [none, clamp] : memref<?x?xi8>
      %h = kernel.load %X[%i, %j5] edge [none, clamp] : memref<?x?xi8>
      %e = arith.maxui %a, %b : i8
      %f = arith.maxui %c, %d : i8
      %k = arith.maxui %g, %h : i8
      %l = arith.maxui %e, %f : i8
      %v = arith.maxui %k, %l : i8
      kernel.store %v, %Y[%i, %j] : memref<?x?xi8>
    } }
  }
  return
}

func.func @wide_window(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %p: index) {
  kernel.launch @k (%X[%N, %P] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %P = %p : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %j1 = arith.addi %j, %c1 : index
      %j2 = arith.addi %j, %c2 : index
      %j3 = arith.addi %j, %c3 : index
      %a = kernel.load %X[%i, %j] : memref<?x?xf32>
      %b = kernel.load %X[%i, %j1] edge [none, clamp] : memref<?x?xf32>
      %c = kernel.load %X[%i, %j2] edge [none, clamp] : memref<?x?xf32>
      %d = kernel.load %X[%i, %j3] edge [none, clamp] : memref<?x?xf32>
      %e = arith.addf %a, %b : f32
      %f = arith.addf %c, %d : f32
      %v = arith.addf %e, %f : f32
      kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}

// -----

// Matrices of 4 x 4: 16 threads are no block, however many matrices there are.
// CHECK-LABEL: @batch
func.func @batch(%a: memref<?x4x4xf32>, %c: memref<?x4x4xf32>, %y: memref<?x4x4xf32>, %b: index) {
  // CHECK: schedule
  // CHECK-SAME: k = [block.2, thread.y 64
  kernel.launch @f (%B = %b : index, %A[%B, 4, 4] = %a : memref<?x4x4xf32>, %C[%B, 4, 4] = %c : memref<?x4x4xf32>) outs (%Y[%B, 4, 4] = %y : memref<?x4x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "k" (%k) in %B {
      kernel.for "i" (%i) in 4 {
        kernel.for "j" (%j) in 4 {
          %p = kernel.load %A[%k, %i, %c0] : memref<?x4x4xf32>
          %q = kernel.load %C[%k, %c0, %j] : memref<?x4x4xf32>
          %r = arith.mulf %p, %q : f32
          %s = kernel.load %A[%k, %i, %c1] : memref<?x4x4xf32>
          %t = kernel.load %C[%k, %c1, %j] : memref<?x4x4xf32>
          %u = math.fma %s, %t, %r : f32
          kernel.store %u, %Y[%k, %i, %j] : memref<?x4x4xf32>
        }
      }
    }
  }
  return
}

// -----

// Sequences of steps: several iterations a thread where there are enough, which
// take each step together; one where there are few.
// CHECK-LABEL: @horner
func.func @horner(%x: memref<?xf32>, %c: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  // CHECK: versions [<when = {{.*}}, i = [block.0, unroll 2, thread.x 256, vector 4]
  // CHECK-SAME: , <i = [block.0, thread.x 128]
  kernel.launch @f (%N = %n : index, %M = %m : index, %X[%N] = %x : memref<?xf32>, %C[%M] = %c : memref<?xf32>) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %a = kernel.load %X[%i] : memref<?xf32>
      %s = scf.for %k = %c0 to %M step %c1 iter_args(%t = %z) -> (f32) {
        %v = kernel.load %C[%k] : memref<?xf32>
        %w = math.fma %t, %a, %v : f32
        scf.yield %w : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}
