// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --kernel-expand-versions --kernel-split-loops --kernel-order-loops --split-input-file | FileCheck %s --check-prefix=NEST

// What threads take in folds inside of loops: plan-schedules-device.mlir has
// the plain ones.

// The dimension in the middle: threads alone where there are many outputs, else
// they share what is folded, if it is long enough for all of them, blocks too
// where few long ones are folded. What is short, and what begins anywhere, is
// the judge's: a fold that a thread has alone is one kernel, whatever results
// the others have.
// CHECK: #set = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, -s0 + 1024 >= 0, -s2 + 264 >= 0, s1 - 2048 >= 0)>
// CHECK: #set1 = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, s0 - 4096 >= 0, s2 - 64 >= 0)>
// CHECK: #set2 = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, -s0 + 64 >= 0, s2 - 4096 >= 0)>
// CHECK: #set3 = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, s1 - 16 >= 0)>
// CHECK-LABEL: @middle
// CHECK: versions [<when = #set, i = [block.1], k = [block.0, thread.x 16, vector 4], j = [seq, seq 16, block.2 16, unroll 8, thread.y 16],
// CHECK-SAME: <when = #set1, i = [block.1], k = [block.0, thread.x 128, vector 4], j = [seq, seq 16, unroll 8],
// CHECK-SAME: <when = #set2, i = [block.1, thread.y 16], k = [block.0, thread.x 16, vector 4], j = [seq, seq 16, unroll 8],
// CHECK-SAME: <when = #set3, i = [block.1], k = [block.0, thread.x 32, vector 4], j = [seq, seq 16, unroll 8, thread.y 8],
// CHECK-SAME: i = [block.1, thread.y {{[0-9]+}}], k = [block.0, thread.x {{[0-9]+}}], j = [seq, seq 16, unroll {{[0-9]+}}], split boundary,{{( index 32,)?}} deal threads>
// CHECK-SAME: k = [block.0, thread.x 256], j = [seq, seq 16, unroll {{[0-9]+}}], split boundary,{{( index 32,)?}} deal threads>
func.func @middle(%x: memref<?x?x?xf32>, %s: memref<?x?xf32>, %n: index, %m: index, %l: index) {
  kernel.launch @k (%X[%N, %M, %L] = %x : memref<?x?x?xf32>, %N = %n : index, %M = %m : index, %L = %l : index) outs (%S[%N, %L] = %s : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "k" (%k) in %L {
        %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%i, %j, %k] : memref<?x?x?xf32>
          kernel.yield %v : f32
        }
        kernel.store %r, %S[%i, %k] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Two folds, the inner one along memory. Threads walk both; where outputs are few
// blocks take spans of them.
// CHECK-LABEL: @second_and_last
// CHECK: versions
// CHECK-SAME: j = [seq, seq 16, thread.y {{[0-9]+}}], k = [seq, seq 16, unroll {{[0-9]+}}, thread.x {{[0-9]+}}]
// CHECK-SAME: j = [block.1, {{[^]]*}}], k = [block.2, {{[^]]*}}thread.x {{[0-9]+}}]
func.func @second_and_last(%x: memref<?x?x?xf32>, %s: memref<?xf32>, %n: index, %m: index, %l: index) {
  kernel.launch @k (%X[%M, %N, %L] = %x : memref<?x?x?xf32>, %N = %n : index, %M = %m : index, %L = %l : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %q = kernel.for "k" (%k) in %L reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%j, %i, %k] : memref<?x?x?xf32>
          kernel.yield %v : f32
        }
        kernel.yield %q : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// What is read before a fold is read again by each of its blocks: nothing writes
// it.
// CHECK-LABEL: @load_before
// CHECK: versions
// CHECK-SAME: i = [seq, {{.*}}thread.
func.func @load_before(%x: memref<?x?xf32>, %w: memref<?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %W[%M] = %w : memref<?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %a = kernel.load %W[%j] : memref<?xf32>
      %b = math.exp %a : f32
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %t = arith.mulf %v, %b : f32
        kernel.yield %t : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Two folds around columns: the outer one is split over blocks, which the order
// puts outside; iterations past its end add nothing.
// CHECK-LABEL: @first_and_third
// CHECK: i = [block.1], k = [block.0, thread.x 16, vector 4], h = [seq, block.2 16], j = [seq, seq 16, unroll 8, thread.y 16], order = [h.1, i.0, k.0,
// NEST-LABEL: @first_and_third
// NEST: %[[PART:.*]] = kernel.local
// NEST: kernel.for "h.1" ({{.*}}) in 16 at block.2
// NEST: scf.if
// NEST: kernel.store %{{.*}}, %[[PART]]
func.func @first_and_third(%x: memref<?x?x?x?xf32>, %s: memref<?x?xf32>, %p: index, %n: index, %m: index, %l: index) {
  kernel.launch @k (%X[%P, %N, %M, %L] = %x : memref<?x?x?x?xf32>, %P = %p : index, %N = %n : index, %M = %m : index, %L = %l : index) outs (%S[%N, %L] = %s : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "k" (%k) in %L {
        %r = kernel.for "h" (%h) in %P reduce (%z : f32) by arith.addf {
          %q = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
            %v = kernel.load %X[%h, %i, %j, %k] : memref<?x?x?x?xf32>
            kernel.yield %v : f32
          }
          kernel.yield %q : f32
        }
        kernel.store %r, %S[%i, %k] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Fewer elements than a block has threads, whatever they take: another plan.
// CHECK-LABEL: @few
// CHECK: kernel.launch @k
// NEST-LABEL: @few
func.func @few(%x: memref<?xf32>, %s: memref<f32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index, %M = %m : index) outs (%S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in 3 reduce (%z : f32) by arith.addf {
      %c = kernel.for "j" (%j) in 3 reduce (%z : f32) by arith.addf {
        %p = arith.muli %i, %M : index
        %q = arith.addi %p, %j : index
        %v = kernel.load %X[%q] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.yield %c : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Four neighbours share what is computed of a quotient of their index: a thread
// takes them together, of either loop.
// CHECK-LABEL: @quotients
// CHECK: i = [block.0, unroll 2, thread.x 256, unroll 4],
// CHECK-SAME: i = [block.0, seq 8, unroll 2, thread.x 256, unroll 4],
// CHECK: kernel.launch @outer
// CHECK-SAME: i = [seq, unroll 4, thread.x 32, unroll 2], j = [seq, block.0 1056, thread.y 8]
func.func @quotients(%s: memref<i64>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index) outs (%S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %r = kernel.for "i" (%i) in %N reduce (%z : i64) by arith.addi {
      %v = arith.index_cast %i : index to i64
      %q = arith.shrsi %v, %two : i64
      %p = arith.muli %q, %q : i64
      %x = arith.muli %p, %v : i64
      kernel.yield %x : i64
    }
    kernel.store %r, %S[] : memref<i64>
  }
  kernel.launch @outer (%N = %n : index, %M = %m : index) outs (%S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %r = kernel.for "i" (%i) in %N reduce (%z : i64) by arith.addi {
      %t = kernel.for "j" (%j) in %M reduce (%z : i64) by arith.addi {
        %v = arith.index_cast %i : index to i64
        %w = arith.index_cast %j : index to i64
        %q = arith.floordivsi %v, %two : i64
        %p = arith.muli %q, %w : i64
        kernel.yield %p : i64
      }
      kernel.yield %t : i64
    }
    kernel.store %r, %S[] : memref<i64>
  }
  return
}

// -----

// Where elements are loaded, neighbours are neighbouring threads'.
// CHECK-LABEL: @no_quotients_of_loads
// CHECK-NOT: thread.x 256, unroll
func.func @no_quotients_of_loads(%x: memref<?xi64, strided<[?]>>, %s: memref<i64>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi64, strided<[?]>>, %N = %n : index) outs (%S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %r = kernel.for "i" (%i) in %N reduce (%z : i64) by arith.addi {
      %v = arith.index_cast %i : index to i64
      %q = arith.shrsi %v, %two : i64
      %a = kernel.load %X[%i] : memref<?xi64, strided<[?]>>
      %p = arith.muli %q, %a : i64
      kernel.yield %p : i64
    }
    kernel.store %r, %S[] : memref<i64>
  }
  return
}

// -----

// Folds over rows: a thread has a short one, and there are as many blocks as
// that takes; longer ones have a block.
// CHECK: #[[FEW:.*]] = affine_set<()[s0, s1] : (-s0 + 32 >= 0, -s1 + 270336 >= 0)>
// CHECK: #[[SHORT:.*]] = affine_set<()[s0, s1] : (-s0 + 32 >= 0)>
// CHECK-LABEL: @over_rows
// CHECK: versions [<when = #[[FEW]], i = [block.0, thread.x 256],
// CHECK-SAME: <when = #[[SHORT]], i = [seq, seq 16, block.0 1056, thread.x 256],
// CHECK-SAME: i = [seq, block.0 1056], j = [
func.func @over_rows(%x: memref<?x?xf32>, %y: memref<?xf32>, %s: memref<f32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N] = %y : memref<?xf32>, %S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.maximumf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %a : f32
      }
      kernel.store %t, %Y[%i] : memref<?xf32>
      %u = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = arith.subf %a, %t : f32
        kernel.yield %b : f32
      }
      kernel.yield %u : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Rows of bytes begin anywhere: a thread takes four neighbours, which are a shift
// away from the words that hold them, without a condition on sizes.
// CHECK-LABEL: @bytes
// CHECK: versions
// CHECK-SAME: j = [seq, seq 16, unroll {{[0-9]+}}, thread.x {{[0-9]+}}, vector 4]
// CHECK-SAME: <i = [block.0{{.*}}], j = [{{.*}}unroll {{[0-9]+}}, thread.x {{[0-9]+}}, vector 4], {{[^>]*}}>] of (%N, %M)
func.func @bytes(%x: memref<?x?xi8>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xi8>, %N = %n : index, %M = %m : index) outs (%S[%N] = %s : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %r = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xi8>
        %f = arith.uitofp %v : i8 to f32
        kernel.yield %f : f32
      }
      kernel.store %r, %S[%i] : memref<?xf32>
    }
  }
  return
}
