// RUN: arr-opt %s --kernel-split-loops --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=SPLIT
// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --kernel-mask-tails --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=MASK
// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --kernel-mask-tails --canonicalize --cse --kernel-assign-storage --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=PLACE

func.func @no_such_local(%x: memref<?xf32>, %n: index) {
  // expected-error @below {{cannot keep 'e' in registers: the launch has no such local}}
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [block.0], keep = [e register]> {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// A digit that takes what is left makes no registers.
func.func @no_open_digit(%x: memref<?x?xf32>, %n: index, %m: index) {
  // expected-error @below {{cannot keep 'e' in registers: a digit has no size}}
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], j = [seq, thread.x 32], keep = [e register]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %e = kernel.local "e" (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        kernel.store %z, %e[%j] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// All digits have sizes, and nothing says that the dimension is no longer.
func.func @no_unproved_length(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) schedule #kernel.schedule<i = [unroll 4, thread.x 32]> {
    %z = arith.constant 0.0 : f32
    // expected-error @below {{the digits of 'i' all have sizes, the dimension has none}}
    kernel.for "i" (%i) in %N {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// The local takes the digits of its loops: past the end each of them has an
// element of its own, so that only what touches %X and %Y is masked, by one
// mask for four neighbours.
// SPLIT-LABEL: @row
// MASK-LABEL: @row
// PLACE-LABEL: @row
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32}>} {
func.func @row(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  %few = array.assume %m in 0 to 256 multiple 4 : index
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %few : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) schedule #kernel.schedule<i = [block.0], j = [unroll 2, thread.x 32, vector 4], keep = [e register]> {
    %z = arith.constant 0.0 : f32
    // SPLIT: kernel.for "i.0"
    // SPLIT:   %[[E:.*]] = kernel.local "e" {kernel.own_elements} : memref<2x32x4xf32>
    // SPLIT:   kernel.for "j.0" (%[[U:.*]]) in 2 at unroll
    // SPLIT:     kernel.for "j.1" (%[[T:.*]]) in 32 at thread.x
    // SPLIT:       kernel.for "j.2" (%[[V:.*]]) in 4 at vector
    // SPLIT:         kernel.store %{{.*}}, %[[E]][%[[U]], %[[T]], %[[V]]]
    // MASK:   kernel.for "j.1" (%[[T:.*]]) in 32 at thread.x
    // MASK:     kernel.for "j.0" (%[[U:.*]]) in 2 at unroll
    // MASK:       kernel.for "j.2" (%[[V:.*]]) in 4 at vector
    // MASK:         %[[BEHIND:.*]] = affine.apply #{{.*}}(%[[U]])
    // MASK:         %[[FIRST:.*]] = affine.apply #{{.*}}(%[[T]])
    // MASK:         %[[LEFT:.*]] = arith.subi %M, %[[FIRST]]
    // MASK:         %[[IN:.*]] = arith.cmpi slt, %[[BEHIND]], %[[LEFT]]
    // MASK:         %[[A:.*]] = kernel.load %X[{{.*}}] if %[[IN]]
    // MASK:         kernel.store %[[A]], %{{.*}}[%[[U]], %[[T]], %[[V]]] : memref<2x32x4xf32>
    // MASK:         arith.select %[[IN]]
    // MASK:         kernel.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : memref<2x32x4xf32>
    // MASK:         kernel.store %{{.*}}, %Y[{{.*}}] if
    // PLACE: kernel.local "e" {kernel.own_elements, kernel.thread_dims = array<i64: -1, 0, -1>} : memref<2x32x4xf32, #kernel.space<register>>
    kernel.for "i" (%i) in %N {
      %e = kernel.local "e" (%M) : memref<?xf32>
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %v, %e[%j] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        %w = arith.subf %v, %s : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}
