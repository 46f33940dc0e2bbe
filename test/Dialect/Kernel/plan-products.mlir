// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s

// A matrix product: tiles of both operands, 128 accumulators a thread, eight of
// them neighbours along the rows and four along the columns, where there are
// enough blocks; 16 where there are not. What the fold walks in memory is turned.
// CHECK-DAG: #[[LARGE:.*]] = affine_set<()[s0, s1, s2] : (s0 - 1536 >= 0, s1 - 1536 >= 0, s2 - 16 >= 0, ((s0 ceildiv 256) * (s1 ceildiv 128)) * 7 - (((s0 ceildiv 256) * (s1 ceildiv 128)) ceildiv 32) * 192 >= 0)>
// CHECK-DAG: #[[SMALL:.*]] = affine_set<()[s0, s1, s2] : (s0 - 1 >= 0, s1 - 33 >= 0, s2 - 1 >= 0)>
// CHECK-LABEL: @product
// CHECK: <when = #[[LARGE]], i = [block.1, unroll 2, thread.y 16, unroll 8], j = [block.0, unroll 2, thread.x 16, unroll 4], l = [seq, seq 16],
// CHECK-SAME: order = [i.0, j.0, l.0, i.2, j.2, i.1, i.3, j.1, j.3, l.1],
// CHECK-SAME: stage = [S0 at l.0 shared pad 4 turned ahead, S1 at l.0 shared pad 4 ahead]{{(, index 32)?}}>,
// CHECK-SAME: <when = #[[SMALL]], i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 16, unroll 4], l = [seq, seq 16]
// CHECK-SAME: of (%N, %M, %K)
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
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

// In between medium tiles, where they are one wave that most multiprocessors have
// a part of, or two and more; what is a little more than one wave of them takes
// halves. Few of either share the fold.
// CHECK-DAG: #[[WAVE:.*]] = affine_set<()[s0, s1, s2] : (s0 - 33 >= 0, s1 - 65 >= 0, s2 - 16 >= 0, -((s0 ceildiv 64) * (s1 ceildiv 128)) + 132 >= 0, (s0 ceildiv 64) * (s1 ceildiv 128) - 92 >= 0)>
// CHECK-DAG: #[[HALF:.*]] = affine_set<()[s0, s1, s2] : (s0 - 33 >= 0, s1 - 33 >= 0, s2 - 32 >= 0, -((s0 ceildiv 64) * (s1 ceildiv 64)) + 396 >= 0, (s0 ceildiv 64) * (s1 ceildiv 64) - 264 >= 0)>
// CHECK-DAG: #[[MEDIUM:.*]] = affine_set<()[s0, s1, s2] : (s0 - 33 >= 0, s1 - 65 >= 0, s2 - 16 >= 0, (s0 ceildiv 64) * (s1 ceildiv 128) - 198 >= 0)>
// CHECK-LABEL: @medium
// CHECK: <when = #[[WAVE]], i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32, unroll 4], l = [seq, seq 16],
// CHECK-SAME: <when = #[[HALF]], i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 16, unroll 4], l = [seq, seq 32],
// CHECK-SAME: <when = #[[MEDIUM]], i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32, unroll 4], l = [seq, seq 16],
// CHECK-SAME: i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 16, unroll 4], l = [seq, block.2 16, seq 32],
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, units = 132}>} {
func.func @medium(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
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

// More than a product and a sum in each step: 64 accumulators are code enough.
// CHECK-LABEL: @distances
// CHECK: i = [block.1, unroll 2, thread.y 16, unroll 4], j = [block.0, unroll 2, thread.x 16, unroll 4]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @distances(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x?xf32>
        %v = kernel.load %B[%l, %j] : memref<?x?xf32>
        %d = arith.subf %u, %v : f32
        %w = arith.mulf %d, %d : f32
        %x = math.sqrt %w : f32
        kernel.yield %x : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// Operands that move along both dimensions are no product.
// CHECK-LABEL: @no_product
// CHECK-NOT: stage =
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @no_product(%a: memref<?x?x?xf32>, %y: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N, %N] = %a : memref<?x?x?xf32>, %N = %n : index) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l, %j] : memref<?x?x?xf32>
        kernel.yield %u : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// Nothing is turned: rows that are known to be aligned are read and stored by
// 16 bytes.
// CHECK-DAG: #[[WIDE:.*]] = affine_set<()[s0, s1, s2] : (s0 - 1536 >= 0, s1 - 1536 >= 0, s2 - 16 >= 0, ((s0 ceildiv 256) * (s1 ceildiv 128)) * 7 - (((s0 ceildiv 256) * (s1 ceildiv 128)) ceildiv 32) * 192 >= 0, -(s0 mod 4) >= 0, -(s1 mod 4) >= 0)>
// CHECK-LABEL: @straight_product
// CHECK: <when = #[[WIDE]], i = [block.1, unroll 2, thread.y 16, unroll 8], j = [block.0, unroll 2, thread.x 16, vector 4], l = [seq, seq 16],
// CHECK-SAME: stage = [S0 at l.0 shared pad 4 ahead, S1 at l.0 shared pad 4 ahead]{{(, index 32)?}}>,
// CHECK-SAME: j = [block.0, unroll 2, thread.x 16, unroll 4], l = [seq, seq 16],
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @straight_product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%K, %N] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%l, %i] : memref<?x?xf32>
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

// Two of its operands are transposed: then the other one is turned. Elements of
// 8 bytes: pairs of neighbouring columns.
// CHECK-LABEL: @transposed_product
// CHECK: i = [block.1, unroll 2, thread.y 16, unroll 4], j = [block.0, unroll 2, thread.x 16, unroll 2]
// CHECK-SAME: stage = [S0 at l.0 shared pad 2 ahead, S1 at l.0 shared pad 2 turned ahead]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @transposed_product(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%K, %N] = %a : memref<?x?xf64>, %B[%M, %K] = %b : memref<?x?xf64>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf64>) {
    %z = arith.constant 0.0 : f64
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f64) by arith.addf {
        %u = kernel.load %A[%l, %i] : memref<?x?xf64>
        %v = kernel.load %B[%j, %l] : memref<?x?xf64>
        %w = arith.mulf %u, %v : f64
        kernel.yield %w : f64
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf64>
    } }
  }
  return
}
}

// -----

// All pairs: the lanes of a warp and some outputs of a thread share the terms of
// the block's warps. An output may be made of its old value.
// CHECK-LABEL: @pairs
// CHECK: versions [<when = #{{.*}}, i = [block.0, unroll 2, thread.x 32], l = [seq, seq 16, thread.y 16, unroll 8], order = [i.0, i.2, i.1, l.2, l.0, l.1, l.3], split boundary{{(, index 32)?}}>,
// CHECK-SAME: i = [block.0, thread.x 32], l = [seq, seq 16, thread.y 32, unroll 4],
// CHECK-LABEL: @pairs_in_place
// CHECK: i = [block.0, unroll 2, thread.x 32], l = [seq, seq 16, thread.y 16, unroll 8],
// CHECK-LABEL: @no_pairs
// CHECK-NOT: unroll 2, thread.x 32
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @pairs(%a: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%A[%N] = %a : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %u = kernel.load %A[%i] : memref<?xf32>
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%l] : memref<?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}
// A row of its own for each output is not shared.
func.func @pairs_in_place(%a: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%A[%N] = %a : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %old = kernel.load %Y[%i] : memref<?xf32>
      %u = kernel.load %A[%i] : memref<?xf32>
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%l] : memref<?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      %t = arith.addf %old, %s : f32
      kernel.store %t, %Y[%i] : memref<?xf32>
    }
  }
  return
}
func.func @no_pairs(%a: memref<?x?xf32>, %b: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N] = %a : memref<?x?xf32>, %B[%N] = %b : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x?xf32>
        %v = kernel.load %B[%l] : memref<?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}
}

// -----

// What is read beside the fold is no operand: means of columns in front of it,
// which a step of the fold subtracts, a bias behind it.
// CHECK-LABEL: @beside
// CHECK: i = [block.1, unroll 2, thread.y 16, unroll 8], j = [block.0, unroll 2, thread.x 16, unroll 4], l = [seq, seq 16],
// CHECK-SAME: stage = [S0 at l.0 shared pad 4 ahead]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @beside(%x: memref<?x?xf32>, %u: memref<?xf32>, %b: memref<?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %U[%M] = %u : memref<?xf32>, %B[%M] = %b : memref<?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %c = kernel.load %U[%i] : memref<?xf32>
        %p = kernel.load %X[%l, %i] : memref<?x?xf32>
        %q = kernel.load %X[%l, %j] : memref<?x?xf32>
        %r = arith.subf %p, %c : f32
        %w = arith.mulf %r, %q : f32
        kernel.yield %w : f32
      }
      %d = kernel.load %B[%j] : memref<?xf32>
      %t = arith.addf %s, %d : f32
      kernel.store %t, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}
