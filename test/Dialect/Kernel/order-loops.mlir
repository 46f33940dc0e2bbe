// RUN: arr-opt %s --kernel-split-loops --kernel-order-loops --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_fold_that_does_not_commute(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>)
      schedule #kernel.schedule<i = [seq, vector 4], order = [i.1, i.0]> {
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{the order would change that of a fold that does not commute}}
    %r = kernel.for "i" (%i) in %N reduce (%one : f32) by (%a: f32, %b: f32) {
      %d = arith.subf %a, %b : f32
      kernel.yield %d : f32
    } {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

func.func @no_extent_inside(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, seq 8, vector 4], order = [i.1, i.0, i.2]> {
    %z = arith.constant 0.0 : f32
    // expected-error @+1 {{the order puts 'i.1' outside of 'i.0', which its extent depends on}}
    kernel.for "i" (%i) in %N {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_raise_past_a_load(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, vector 4], k = [seq], order = [i.0, k.0, i.1]> {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%c0] : memref<?xf32>
      // expected-error @+1 {{the fold over 'k.0' cannot be moved outside: something is read or written before it}}
      %r = kernel.for "k" (%k) in %N reduce (%z : f32) by arith.addf {
        kernel.yield %v : f32
      }
      kernel.store %r, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// The element that the same iteration stores, behind all steps of the fold.
// CHECK-LABEL: @raise_past_its_own_load
// CHECK: kernel.for "i.0" {{.*}} at block.0 {
// CHECK: kernel.for "k.0" {{.*}} at seq {
// CHECK: kernel.for "i.1"
// CHECK: kernel.load %X
// CHECK: kernel.for "i.1"
// CHECK: kernel.store {{.*}}, %X
func.func @raise_past_its_own_load(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, vector 4], k = [seq], order = [i.0, k.0, i.1]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %r = kernel.for "k" (%k) in %N reduce (%z : f32) by arith.addf {
        kernel.yield %v : f32
      }
      kernel.store %r, %X[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Accumulators in a local: cleared, added to, stored.
// CHECK-LABEL: @raise
func.func @raise(%a: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>)
      schedule #kernel.schedule<j = [block.0, seq 8, vector 4], i = [seq], order = [j.0, i.0, j.2, j.1]> {
    // CHECK: %[[Z:.*]] = arith.constant 0.0
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "j.0" {{.*}} at block.0 {
    // CHECK:   %[[ACC:.*]] = kernel.local : memref<8x4xf32>
    // CHECK:   kernel.for "j.2" (%[[V:.*]]) in 4 at vector {
    // CHECK:     kernel.for "j.1" (%[[K:.*]]) in %{{.*}} at seq {
    // CHECK:       kernel.store %[[Z2:.*]], %[[ACC]][%[[K]], %[[V]]]
    // CHECK:   kernel.for "i.0" {{.*}} at seq {
    // CHECK:     kernel.for "j.2"
    // CHECK:       kernel.for "j.1"
    // CHECK:         scf.if
    // CHECK:           kernel.load %A
    // CHECK:           %[[OLD:.*]] = kernel.load %[[ACC]]
    // CHECK:           %[[NEW:.*]] = arith.addf %[[OLD]]
    // CHECK:           kernel.store %[[NEW]], %[[ACC]]
    // CHECK:   kernel.for "j.2"
    // CHECK:     kernel.for "j.1"
    // CHECK:       scf.if
    // CHECK:         kernel.load %[[ACC]]
    // CHECK:         kernel.store %{{.*}}, %S
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Each block has accumulators; they are folded several at a time.
// CHECK-LABEL: @raise_blocks
func.func @raise_blocks(%a: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%A[%N, %M] = %a : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0 32, seq], j = [seq, vector 4], order = [i.0, i.1, j.1, j.0]> {
    %z = arith.constant 0.0 : f32
    // CHECK: %[[ACC:.*]] = kernel.local (%{{.*}}) : memref<32x?x4xf32>
    // CHECK: kernel.for "i.0" (%[[B:.*]]) in 32 at block.0 {
    // CHECK:   kernel.store %{{.*}}, %[[ACC]][%[[B]], %{{.*}}, %{{.*}}]
    // CHECK:   kernel.for "i.1" {{.*}} at seq {
    // CHECK:     kernel.store %{{.*}}, %[[ACC]][%[[B]], %{{.*}}, %{{.*}}]
    // CHECK: kernel.for "j.1"
    // CHECK:   kernel.for "i.0.fold.1" {{.*}} at seq reduce
    // CHECK:     kernel.for "i.0.fold.2" {{.*}} in 8 at unroll reduce
    // CHECK:       kernel.load %[[ACC]][%{{.*}}, %{{.*}}, %{{.*}}]
    // CHECK:   kernel.store %{{.*}}, %S
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Without an order the levels decide.
// CHECK-LABEL: @default
func.func @default(%x: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N, %N] = %x : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, unroll 2], j = [block.0, seq 8, vector 4]> {
    %z = arith.constant 0.0 : f32
    // CHECK: kernel.for "i.0" {{.*}} at block.1
    // CHECK: kernel.for "j.0" {{.*}} at block.0
    // CHECK: kernel.for "j.1" {{.*}} at seq
    // CHECK: kernel.for "i.1" {{.*}} at unroll
    // CHECK: kernel.for "j.2" {{.*}} at vector
    kernel.for "i" (%i) in 64 {
      kernel.for "j" (%j) in %N {
        kernel.store %z, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Accumulators outside of the sequential digit.
// CHECK-LABEL: @accumulators
func.func @accumulators(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>)
      schedule #kernel.schedule<i = [block.0, seq 256, unroll 4, vector 16], order = [i.0, i.2, i.3, i.1]> {
    %z = arith.constant 0.0 : f32
    // CHECK: %[[R:.*]] = kernel.for "i.0" {{.*}} at block.0 reduce
    // CHECK:   %[[U:.*]] = kernel.for "i.2" {{.*}} in 4 at unroll reduce
    // CHECK:     %[[V:.*]] = kernel.for "i.3" {{.*}} in 16 at vector reduce
    // CHECK:       %[[K:.*]] = kernel.for "i.1" {{.*}} at seq reduce
    // CHECK:         scf.if
    // CHECK:       kernel.yield %[[K]]
    // CHECK:     kernel.yield %[[V]]
    // CHECK:   kernel.yield %[[U]]
    // CHECK: kernel.store %[[R]]
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Blocks of a fold, and nothing else, stand outside: a partial result each, and
// the threads that folded rows fold those.
// CHECK-LABEL: @blocks_of_a_fold
// CHECK: %[[PART:.*]] = kernel.local (%{{.*}}) : memref<16x?x32xf32>
// CHECK-NEXT: kernel.for "i.1" {{.*}} in 16 at block.1 {
// CHECK-NEXT:   kernel.for "j.0" {{.*}} at block.0 {
// CHECK-NEXT:     kernel.for "j.1" {{.*}} in 32 at thread.x {
// CHECK:            kernel.for "i.2" {{.*}} in 8 at thread.y reduce
// CHECK:            kernel.store %{{.*}}, %[[PART]]
// CHECK:      kernel.for "j.0" {{.*}} at block.0 {
// CHECK-NEXT:   kernel.for "j.1" {{.*}} in 32 at thread.x {
// CHECK:          kernel.for "i.1.fold.0" {{.*}} in 8 at thread.y reduce
// CHECK:            kernel.for "i.1.fold.1" {{.*}} at seq reduce
// CHECK:              kernel.load %[[PART]]
func.func @blocks_of_a_fold(%x: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>)
      schedule #kernel.schedule<j = [block.0, thread.x 32], i = [seq, block.1 16, thread.y 8], order = [i.1, j.0, j.1, i.2, i.0]> {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// What a thread takes together of the parallel dimension are blocks where partial
// results are folded: there is little to do for each.
// CHECK-LABEL: @unrolled_results
// CHECK: %[[PART:.*]] = kernel.local (%{{.*}}) : memref<16x?x32x4xf32>
// CHECK: kernel.for "i.1" {{.*}} in 16 at block.1 {
// CHECK:       kernel.for "j.2" {{.*}} in 4 at unroll {
// CHECK: kernel.for "j.2.block" {{.*}} in 4 at block.1 {
// CHECK-NEXT:   kernel.for "j.0" {{.*}} at block.0 {
// CHECK-NEXT:     kernel.for "j.1" {{.*}} in 32 at thread.x {
// CHECK-NOT:        at unroll {
// CHECK:            kernel.for "i.1.fold.1" {{.*}} at seq reduce
func.func @unrolled_results(%x: memref<?x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>) schedule #kernel.schedule<j = [block.0, thread.x 32, unroll 4], i = [seq, block.1 16], order = [i.1, j.0, j.1, j.2, i.0]> {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Blocks of two folds are numbered in one: their partial results are one list.
// CHECK-LABEL: @blocks_of_two_folds
// CHECK: %[[PART:.*]] = kernel.local (%{{.*}}) : memref<?x?x32xf32>
// CHECK: kernel.for "i.0" (%[[I:.*]]) in {{.*}} at block.1 {
// CHECK:   kernel.for "k.0" (%[[K:.*]]) in 4 at block.2 {
// CHECK:     %[[BLOCK:.*]] = affine.apply #{{.*}}()[%[[I]], %[[K]]{{[]]}}
// CHECK:     kernel.store %{{.*}}, %[[PART]][%[[BLOCK]], %{{.*}}, %{{.*}}]
// CHECK: kernel.for "j.0" {{.*}} at block.0 {
// CHECK:   kernel.for "i.0.fold.0" {{.*}} in 8 at thread.y reduce
// CHECK:     kernel.for "i.0.fold.1" {{.*}} at seq reduce
// CHECK:       kernel.for "i.0.fold.2" {{.*}} in 8 at unroll reduce
// CHECK:         kernel.load %[[PART]]
func.func @blocks_of_two_folds(%x: memref<?x16x?xf32>, %s: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, 16, %M] = %x : memref<?x16x?xf32>, %N = %n : index, %M = %m : index) outs (%S[%M] = %s : memref<?xf32>)
      schedule #kernel.schedule<j = [block.0, thread.x 32], i = [block.1, thread.y 8], k = [block.2, seq 4], order = [i.0, k.0, j.0, j.1, i.1, k.1]> {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %q = kernel.for "k" (%k) in 16 reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%i, %k, %j] : memref<?x16x?xf32>
          kernel.yield %v : f32
        }
        kernel.yield %q : f32
      }
      kernel.store %r, %S[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Tiles that several blocks share: the grid is that of the fold's blocks and of
// the tiles, whose loops stand around the accumulators' neutral elements and
// around what is added.
// CHECK-LABEL: @shared_tiles
// CHECK: kernel.for "k.1" {{.*}} at block.1 {
// CHECK-NEXT: kernel.for "i.0" {{.*}} at block.0 {
// CHECK-NEXT: kernel.for "i.1" {{.*}} at thread.x {
// CHECK: kernel.store
// CHECK: kernel.for "k.0" {{.*}} at seq {
// CHECK: kernel.for "i.1" {{.*}} at thread.x {
// CHECK: kernel.for "k.2" {{.*}} at seq reduce
// CHECK: kernel.for "i.0" {{.*}} at block.0 {
// CHECK: kernel.for "k.1.fold.1"
func.func @shared_tiles(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 64], k = [seq, block.1 4, seq 16], order = [k.1, i.0, k.0, i.1, k.2]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "k" (%k) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %k] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Threads of a fold above a parallel digit have accumulators of their own, and
// fold them when the sequence ends: for each block, whose results are a list.
// CHECK-LABEL: @dealt_threads
// CHECK: %[[PART:.*]] = kernel.local (%{{.*}}) : memref<?x?x32xf32>
// CHECK: kernel.for "k.0" {{.*}} at block.1 {
// CHECK-NEXT: kernel.for "i.0" {{.*}} at block.0 {
// CHECK: %[[OWN:.*]] = kernel.local : memref<8x32xf32>
// CHECK: kernel.for "k.2" (%[[Y:.*]]) in 8 at thread.y {
// CHECK-NEXT: kernel.for "i.1" (%[[X:.*]]) in 32 at thread.x {
// CHECK: kernel.store %{{.*}}, %[[OWN]][%[[Y]], %[[X]]]
// CHECK: kernel.for "k.1" {{.*}} at seq {
// CHECK: kernel.for "k.2" (%[[Y:.*]]) {{.*}} at thread.y {
// CHECK: kernel.for "i.1" (%[[X:.*]]) in 32 at thread.x {
// CHECK: %[[OLD:.*]] = kernel.load %[[OWN]][%[[Y]], %[[X]]]
// CHECK: arith.addf %[[OLD]]
// CHECK: kernel.for "i.1" (%[[X:.*]]) in 32 at thread.x {
// CHECK: kernel.for "k.2.fold" (%[[Y:.*]]) in 8 at thread.y reduce
// CHECK: kernel.load %[[OWN]][%[[Y]], %[[X]]]
// CHECK: kernel.store %{{.*}}, %[[PART]]
// CHECK: kernel.for "k.0.fold.1" {{.*}} at seq reduce
func.func @dealt_threads(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], k = [block.1, seq 4, thread.y 8], order = [k.0, i.0, k.1, k.2, i.1]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "k" (%k) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %k] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @nothing_in_sequence(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xf32>)
      schedule #kernel.schedule<i = [block.0, thread.x 32], k = [block.1, thread.y 8], order = [k.0, i.0, k.1, i.1]> {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      // expected-error @below {{its threads have nothing to do in sequence}}
      %s = kernel.for "k" (%k) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %k] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A triangle: past the end of its rows the guard that moves inwards would leave
// loops over as many columns as there are threads.
// CHECK-LABEL: @triangle
// CHECK: kernel.for "i.1" (%[[X:.*]]) in 256 at thread.x
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK: %[[COLUMNS:.*]] = arith.select %[[IN]], %{{.*}}, %{{.*}} : index
// CHECK: kernel.for "j" {{.*}} in %[[COLUMNS]]
func.func @triangle(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>)
      schedule #kernel.schedule<i = [seq, thread.x 256], order = [i.1, i.0]> {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %t = kernel.for "j" (%j) in %i reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%j] : memref<?xf32>
        kernel.yield %v : f32
      }
      kernel.yield %t : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}
