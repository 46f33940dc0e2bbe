// RUN: arr-opt %s --kernel-expand-versions --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_large_blocks(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{has a schedule that deals threads, and a block has more than 256 threads}}
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %Z = %zero : f32)
      outs (%Y[%N] = %y : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.y 256], j = [seq, thread.x 4], deal threads>,
                <i = [block.0], j = [seq, thread.y 1024], deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%Z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @no_ordered_fold(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{has a schedule that deals threads, and the schedule has digits of loops inside of it}}
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %Z = %zero : f32)
      outs (%Y[%N] = %y : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.y 64], j = [seq, thread.x 4], deal threads>,
                <i = [block.0], j = [seq, thread.y 256], deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%Z : f32) by arith.subf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Threads that fold partial results know no index of the loops around.
func.func @no_seed_of_an_iteration(%x: memref<?x?xindex>, %y: memref<?xindex>, %n: index, %m: index) {
  // expected-error @+1 {{has a schedule that deals threads, and a fold starts with what an iteration says}}
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xindex>, %N = %n : index, %M = %m : index)
      outs (%Y[%N] = %y : memref<?xindex>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.y 64], j = [seq, thread.x 4], deal threads>,
                <i = [block.0], j = [seq, thread.y 256], deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      %s:2 = kernel.for "j" (%j) in %M reduce (%i, %i : index, index) by (%a: index, %b: index, %c: index, %d: index) {
        %first = arith.cmpi slt, %c, %a : index
        %second = arith.cmpi slt, %a, %c : index
        %before = arith.cmpi ult, %d, %b : index
        %either = arith.ori %first, %before : i1
        %take = arith.select %second, %first, %either : i1
        %e = arith.select %take, %c, %a : index
        %f = arith.select %take, %d, %b : index
        kernel.yield %e, %f : index, index
      } {
        %v = kernel.load %X[%i, %j] : memref<?x?xindex>
        kernel.yield %v, %j : index, index
      }
      kernel.store %s#1, %Y[%i] : memref<?xindex>
    }
  }
  return
}

// -----

// Rows by 4 neighbours each, or by 16 threads that are 16 apart: one kernel.
// CHECK-LABEL: @rows
// 6 and 0 of i, 2 and 0 of j, results 2^2 apart; 4 and 0, 4 and 0, side by side
// CHECK: arith.select %{{.*}}, %c2122240, %c4210688
// CHECK: kernel.launch @k
// CHECK-SAME: schedule #kernel.schedule<i = [block.0], j = [seq, unroll 2], deal threads>
// CHECK: kernel.for "i.0" (%{{.*}}) in %{{.*}} at block.0 {
// CHECK:   kernel.local : memref<272xf32>
// CHECK:   kernel.for "threads" (%{{.*}}) in 256 at thread.x {
// CHECK:     %[[WHOLE:.*]] = kernel.for "j.1" (%{{.*}}) in %{{.*}} at seq reduce
// CHECK:       kernel.for "j.2" (%{{.*}}) in %{{.*}} at seq reduce
// CHECK:         kernel.for "j.3" (%{{.*}}) in 2 at unroll reduce
// CHECK-NOT:       arith.select
// CHECK:     kernel.for "j.4" (%{{.*}}) in %{{.*}} at seq reduce (%[[WHOLE]] : f32)
// CHECK:       kernel.for "j.5" (%{{.*}}) in 2 at unroll reduce
// CHECK:         arith.select
// CHECK:     scf.if
// CHECK:       scf.if
// CHECK:         kernel.store %{{.*}}, %Y
// CHECK:     } else {
// CHECK:       kernel.store
// CHECK:   scf.if
// CHECK:     scf.if
// CHECK:       kernel.for "groups" (%{{.*}}) in 256 at thread.x {
// CHECK:         kernel.for "radix" (%{{.*}}) in 16 at unroll reduce
// CHECK:     kernel.for "results" (%{{.*}}) in 256 at thread.x {
// CHECK:       kernel.for "radix" (%{{.*}}) in 16 at unroll reduce
// CHECK:       kernel.store %{{.*}}, %Y
// CHECK-NOT: kernel.launch
// CHECK: return
func.func @rows(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f32
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %Z = %zero : f32)
      outs (%Y[%N] = %y : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.y 64], j = [seq, unroll 2, thread.x 4], deal threads>,
                <i = [block.0, thread.x 16], j = [seq, unroll 2, thread.y 16], deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%Z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Blocks leave their results in a workspace, which a second nest folds; how many
// steps they have is a number, too.
// CHECK-LABEL: @cut
// CHECK: kernel.launch @k
// CHECK-SAME: schedule #kernel.schedule<i = [block.0], j = [block.1, seq 1], deal threads>
// CHECK: %[[PARTS:.*]] = kernel.local (%{{.*}}, %N) : memref<?x?xf32>
// CHECK: kernel.for "j.0" (%[[PART:.*]]) in %{{.*}} at block.1 {
// CHECK:   kernel.for "i.0" (%{{.*}}) in %{{.*}} at block.0 {
// CHECK:     kernel.store %{{.*}}, %[[PARTS]][%[[PART]], %{{.*}}]
// CHECK:     kernel.store %{{.*}}, %[[PARTS]][%[[PART]], %{{.*}}]
// CHECK: kernel.for "i.parts.0" (%{{.*}}) in %{{.*}} at block.0 {
// CHECK:   kernel.for "j.parts.3" (%{{.*}}) in 8 at unroll reduce
// CHECK:     kernel.load %[[PARTS]]
// CHECK:   kernel.store %{{.*}}, %Y
// CHECK: return
func.func @cut(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f32
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %Z = %zero : f32)
      outs (%Y[%N] = %y : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.y 64], j = [block.1, seq 64, thread.x 4], deal threads>,
                <i = [block.0, thread.x 16], j = [block.1, seq 16, thread.y 16], deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%Z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}
