// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s

// Few columns and steps need no tiles. Few outputs of long folds: blocks share the fold. Few columns: lanes have one
// or two each, and 16 rows. Few rows: a thread has all of them, and only what
// the rows read is staged.
// CHECK-DAG: #[[FEWEST:.*]] = affine_set<()[s0, s1, s2] : (s0 - 1 >= 0, s1 - 1 >= 0, s2 - 16384 >= 0, -s0 + 16 >= 0, -s1 + 16 >= 0)>
// CHECK-DAG: #[[FEW:.*]] = affine_set<()[s0, s1, s2] : (s0 - 1 >= 0, s1 - 1 >= 0, s2 - 16384 >= 0, -s0 + 128 >= 0, -s1 + 128 >= 0)>
// CHECK-DAG: #[[NARROW:.*]] = affine_set<()[s0, s1, s2] : (s0 - 256 >= 0, s1 - 1 >= 0, s2 - 1 >= 0, -s1 + 16 >= 0)>
// CHECK-DAG: #[[NARROW2:.*]] = affine_set<()[s0, s1, s2] : (s0 - 256 >= 0, s1 - 1 >= 0, s2 - 1 >= 0, -s1 + 32 >= 0)>
// CHECK-DAG: #[[FLAT:.*]] = affine_set<()[s0, s1, s2] : (s0 - 1 >= 0, s1 - 256 >= 0, s2 - 1 >= 0, -s0 + 16 >= 0, (s0 ceildiv 16) * (s1 ceildiv 256) - 132 >= 0)>
// CHECK-DAG: #[[TINY:.*]] = affine_set<()[s0, s1, s2] : (s0 - 256 >= 0, -s1 + 4 >= 0, -s2 + 4 >= 0)>
// CHECK-LABEL: @product
// CHECK: versions [<when = #[[TINY]], i = [block.0, unroll 4, thread.y 64], j = [thread.x 4], l = [unroll 4], order = [i.0, i.2, j.0, i.1, l.0], split boundary{{(, index 32)?}}>,
// CHECK-SAME: <when = #[[FEWEST]], i = [block.1, thread.y 8, unroll 2], j = [block.0, thread.x 8, unroll 2], l = [seq, block.2 1056, seq 32], order = [l.1, i.0, j.0, l.0, i.1, j.1, i.2, j.2, l.2],
// CHECK-SAME: stage = [S0 at l.0 shared pad 4 turned ahead, S1 at l.0 shared pad 4 ahead]{{(, index 32)?}}>,
// CHECK-SAME: <when = #[[FEW]], i = [block.1, thread.y 16, unroll 4], j = [block.0, thread.x 16, unroll 4], l = [seq, block.2 264, seq 16],
// CHECK-SAME: i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 16, unroll 4], l = [seq, block.2 64, seq 32],
// CHECK-SAME: i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 16, unroll 4], l = [seq, block.2 4, seq 32],
// CHECK-SAME: i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 16, unroll 4], l = [seq, block.2 16, seq 16],
// CHECK-SAME: i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 16, unroll 4], l = [seq, block.2 4, seq 16],
// CHECK-SAME: <when = #[[FLAT]], i = [block.1, unroll 16], j = [block.0, unroll 2, thread.x 128], l = [seq, seq 16], order = [i.0, j.0, l.0, j.2, i.1, j.1, l.1], stage = [S0 at l.0 shared pad 4 turned ahead]{{(, index 32)?}}>
// CHECK-SAME: <when = #[[NARROW]], i = [block.1, thread.y 8, unroll 16], j = [block.0, thread.x 16], l = [seq, seq 16],
// CHECK-SAME: <when = #[[NARROW2]], i = [block.1, thread.y 8, unroll 16], j = [block.0, unroll 2, thread.x 16], l = [seq, seq 16],
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x?xf32>
        %v = kernel.load %B[%l, %j] : memref<?x?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// Known sizes leave one version: lanes for five columns, and boxes of ten steps
// twice in place of 16 and four.
// CHECK-LABEL: @known
// CHECK: versions [<when = #{{.*}}, i = [block.1, thread.y 16, unroll 16], j = [block.0, thread.x 8], l = [seq, seq 10],
// CHECK-SAME: stage = [S0 at l.0 shared pad 4 turned, S1 at l.0 shared pad 4]{{(, index 32)?}}>,
// CHECK-SAME: <i = [block.1, thread.y 16]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
func.func @known(%a: memref<?x20xf32>, %b: memref<20x5xf32>, %y: memref<?x5xf32>, %n: index) {
  kernel.launch @k (%A[%N, 20] = %a : memref<?x20xf32>, %B[20, 5] = %b : memref<20x5xf32>, %N = %n : index) outs (%Y[%N, 5] = %y : memref<?x5xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 5 {
      %s = kernel.for "l" (%l) in 20 reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x20xf32>
        %v = kernel.load %B[%l, %j] : memref<20x5xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x5xf32>
    } }
  }
  return
}
}

// -----

// One array is both operands: one clause.
// CHECK-LABEL: @covariance
// CHECK: l = [seq, block.2 264, seq 16], order = [l.1, i.0, j.0, l.0, i.1, j.1, i.2, j.2, l.2], stage = [S0 at l.0 shared pad 4 ahead]{{(, index 32)?}}>
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
func.func @covariance(%a: memref<?x?xf32>, %y: memref<?x?xf32>, %m: index, %k: index) {
  kernel.launch @k (%A[%K, %M] = %a : memref<?x?xf32>, %M = %m : index, %K = %k : index) outs (%Y[%M, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%l, %i] : memref<?x?xf32>
        %v = kernel.load %A[%l, %j] : memref<?x?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
// A square: what would be turned and what would not is the same array.
// CHECK-LABEL: @square
// CHECK: i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 16, unroll 4]
// CHECK-SAME: stage = [S0 at l.0 shared pad 4 ahead]{{(, index 32)?}}>
func.func @square(%a: memref<?x?xf32>, %y: memref<?x?xf32>, %m: index) {
  kernel.launch @k (%A[%M, %M] = %a : memref<?x?xf32>, %M = %m : index) outs (%Y[%M, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %M reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x?xf32>
        %v = kernel.load %A[%l, %j] : memref<?x?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// Many small products: a thread has a column of one.
// CHECK-DAG: #[[FOUR:.*]] = affine_set<()[s0, s1, s2, s3] : (-s0 + 4 >= 0, -s1 + 4 >= 0)>
// CHECK-LABEL: @batch
// CHECK: l = [seq, block.3 4, seq 16]
// CHECK-SAME: <when = #[[FOUR]], t = [block.0, thread.y 64], i = [unroll 4], j = [thread.x 4], order = [t.0, t.1, j.0, i.0], split boundary{{(, index 32)?}}>,
// CHECK-SAME: t = [block.0, thread.y 16], i = [unroll 16], j = [thread.x 16]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
func.func @batch(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %y: memref<?x?x?xf32>, %t: index, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%T, %N, %K] = %a : memref<?x?x?xf32>, %B[%T, %K, %M] = %b : memref<?x?x?xf32>, %T = %t : index, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%T, %N, %M] = %y : memref<?x?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "t" (%p) in %T { kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%p, %i, %l] : memref<?x?x?xf32>
        %v = kernel.load %B[%p, %l, %j] : memref<?x?x?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%p, %i, %j] : memref<?x?x?xf32>
    } } }
  }
  return
}
}

// -----

// The nearest of some points: rows of a block on chip, pairs of some rows and
// points together; few points lie on chip as well. A row of its own for each term
// is not shared, and one array has one place.
// CHECK-DAG: #[[SHORT_FEW:.*]] = affine_set<()[s0, s1, s2] : (s0 - 16384 >= 0, -s1 + 16 >= 0, -s2 + 32 >= 0)>
// CHECK-DAG: #[[SHORT:.*]] = affine_set<()[s0, s1, s2] : (s0 - 16384 >= 0, -s1 + 32 >= 0)>
// CHECK-DAG: #[[LONG:.*]] = affine_set<()[s0, s1, s2] : (s0 - 16384 >= 0, -s1 + 64 >= 0)>
// CHECK-LABEL: @nearest
// CHECK: versions [<when = #[[SHORT_FEW]], i = [block.0, thread.x 128, unroll 2], j = [seq 4, unroll 8], l = [seq 16], order = [i.0, i.1, i.2, j.1, j.0, l.0], stage = [S0 at i.0 shared pad 2 turned, S1 at i.0 shared pad 4 turned], split boundary{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.x 128, unroll 2], j = [seq 4, unroll 8], l = [seq 32],
// CHECK-SAME: <when = #[[SHORT]], i = [block.0, thread.x 128, unroll 2], j = [seq, unroll 8], l = [seq 32], order = [i.0, i.1, i.2, j.1, j.0, l.0], stage = [S0 at i.0 shared pad 2 turned], split boundary{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.x 64, unroll 2], j = [seq 4, unroll 8], l = [seq 64],
// CHECK-SAME: <when = #[[LONG]], i = [block.0, thread.x 64, unroll 2], j = [seq, unroll 8], l = [seq 64],
// CHECK-LABEL: @own_rows
// CHECK-NOT: stage
// CHECK-LABEL: @neighbours
// CHECK-NOT: stage
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
func.func @nearest(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %K = %k : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %most = arith.constant 0x7F800000 : f32
    kernel.for "i" (%i) in %N {
      %least = kernel.for "j" (%j) in %K reduce (%most : f32) by arith.minimumf {
        %s = kernel.for "l" (%l) in %M reduce (%z : f32) by arith.addf {
          %u = kernel.load %A[%i, %l] : memref<?x?xf32>
          %v = kernel.load %B[%j, %l] : memref<?x?xf32>
          %d = arith.subf %u, %v : f32
          %w = arith.mulf %d, %d : f32
          kernel.yield %w : f32
        }
        kernel.yield %s : f32
      }
      kernel.store %least, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @own_rows(%a: memref<?x?x?xf32>, %b: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%N, %K, %M] = %a : memref<?x?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %K = %k : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %most = arith.constant 0x7F800000 : f32
    kernel.for "i" (%i) in %N {
      %least = kernel.for "j" (%j) in %K reduce (%most : f32) by arith.minimumf {
        %s = kernel.for "l" (%l) in %M reduce (%z : f32) by arith.addf {
          %u = kernel.load %A[%i, %j, %l] : memref<?x?x?xf32>
          %v = kernel.load %B[%j, %l] : memref<?x?xf32>
          %w = arith.mulf %u, %v : f32
          kernel.yield %w : f32
        }
        kernel.yield %s : f32
      }
      kernel.store %least, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @neighbours(%a: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    %most = arith.constant 0x7F800000 : f32
    kernel.for "i" (%i) in %N {
      %least = kernel.for "j" (%j) in %N reduce (%most : f32) by arith.minimumf {
        %s = kernel.for "l" (%l) in %M reduce (%z : f32) by arith.addf {
          %u = kernel.load %A[%i, %l] : memref<?x?xf32>
          %v = kernel.load %A[%j, %l] : memref<?x?xf32>
          %w = arith.mulf %u, %v : f32
          kernel.yield %w : f32
        }
        kernel.yield %s : f32
      }
      kernel.store %least, %Y[%i] : memref<?xf32>
    }
  }
  return
}
}
