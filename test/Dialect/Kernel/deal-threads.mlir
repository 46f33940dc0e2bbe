// RUN: arr-opt %s --kernel-expand-versions --split-input-file --verify-diagnostics | FileCheck %s
// RUN: arr-opt %s --kernel-expand-versions --kernel-split-loops --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=SPLIT

func.func @no_shared_fold(%x: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{has a schedule that deals threads, and threads or blocks share loops inside of it}}
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index, %Z = %zero : f32)
      outs (%Y[%N] = %y : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.x 64], j = [block.1, thread.y 4], deal threads>,
                <i = [block.0, thread.x 256], j = [block.1], deal threads>] of (%N) {
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

func.func @no_checks(%x: memref<?xf32>, %n: index) {
  // expected-error @+1 {{has a schedule that deals threads, and it records errors}}
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.x 8], deal threads>,
                <when = affine_set<()[s0] : (9 - s0 >= 0)>, i = [block.0, unroll 2, thread.x 8], deal threads>,
                <i = [block.0, thread.y 8], deal threads>] of (%N) {
    kernel.for "i" (%i) in %N {
      %ok = arith.cmpi slt, %i, %N : index
      kernel.check assert %ok, "no"
    }
  }
  return
}

// -----

// Versions that differ in sizes at thread are one launch, which gets for each
// dimension how many threads walk it and how far apart they stand.
// CHECK-LABEL: @two
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// 5 and 3 of dimension i, 3 and 0 of dimension j; 0 and 0, 8 and 0
// CHECK: %[[CODE:.*]] = arith.select %{{.*}}, %c53805056, %c134217728
// CHECK: %[[BITS:.*]] = arith.shrui %[[CODE]], %c16
// CHECK: %[[LI:.*]] = arith.andi %[[BITS]]
// CHECK: %[[SI:.*]] = arith.andi
// CHECK: %[[LJ:.*]] = arith.andi
// CHECK: %[[SJ:.*]] = arith.andi
// CHECK: kernel.launch @k (%N = %[[N]] : index, %M = %[[M]] : index, %[[A:.*]] = %[[LI]] : index, %[[B:.*]] = %[[SI]] : index, %[[C:.*]] = %[[LJ]] : index, %[[D:.*]] = %[[SJ]] : index)
// CHECK-SAME: schedule #kernel.schedule<i = [block.1, unroll 2], j = [block.0], split boundary, deal threads>
// CHECK-DAG: %[[LOG_I:.*]] = arith.andi %[[A]], %c15
// CHECK-DAG: %[[SHIFT_I:.*]] = arith.andi %[[B]], %c15
// CHECK-DAG: arith.andi %[[C]], %c15
// CHECK: %[[THREADS_I:.*]] = arith.shli %{{.*}}, %[[LOG_I]]
// CHECK: %[[BLOCKS_I:.*]] = arith.shrui %{{.*}}, %[[LOG_I]]
// CHECK: kernel.for "i.0" (%[[BI:.*]]) in %[[BLOCKS_I]] at block.1 {
// CHECK:   kernel.for "j.0" (%{{.*}}) in %{{.*}} at block.0 {
// CHECK:     kernel.for "threads" (%[[T:.*]]) in 256 at thread.x {
// CHECK:       %[[REST:.*]] = arith.shrui %[[T]], %[[SHIFT_I]]
// CHECK:       arith.andi %[[REST]]
// CHECK:       arith.shli %[[BI]], %[[LOG_I]]
// CHECK:       scf.if
// CHECK:         scf.if
// CHECK:           kernel.for "i.1" (%{{.*}}) in 2 at unroll {
// CHECK-NOT:         scf.if
// CHECK:             kernel.store
// CHECK:         } else {
// CHECK:           kernel.for "i.1" (%{{.*}}) in 2 at unroll {
// CHECK:             scf.if
// CHECK:               kernel.store
// CHECK-NOT: kernel.launch
// CHECK: return
func.func @two(%x: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.1, unroll 2, thread.y 32], j = [block.0, thread.x 8], split boundary, deal threads>,
                <i = [block.1, unroll 2], j = [block.0, thread.x 256], split boundary, deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = arith.addf %v, %v : f32
        kernel.store %w, %X[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Blocks of another size are another kernel; one schedule is one without
// numbers.
// CHECK-LABEL: @others
// CHECK: kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.0, thread.x 64], deal threads>
// CHECK: kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.0, thread.x 256], deal threads>
// CHECK-NOT: kernel.launch
// CHECK: return
func.func @others(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.0, thread.x 64], deal threads>,
                <i = [block.0, thread.x 256], deal threads>] of (%N) {
    kernel.for "i" (%i) in %N {
    }
  }
  return
}

// -----

// A fold inside is each thread's own, by the digits that it has.
// CHECK-LABEL: @own_fold
// CHECK: kernel.launch @k
// CHECK-SAME: schedule #kernel.schedule<i = [block.1], j = [block.0], k = [seq, unroll 4], split boundary, deal threads>
// CHECK: kernel.for "threads" (%{{.*}}) in 256 at thread.x {
// CHECK:   scf.if
// CHECK:     kernel.for "k" (%{{.*}}) in %{{.*}} reduce
// SPLIT-LABEL: @own_fold
// SPLIT: kernel.for "threads" (%{{.*}}) in 256 at thread.x {
// SPLIT:   kernel.for "k.0" (%{{.*}}) in %{{.*}} at seq reduce
// SPLIT:     kernel.for "k.1" (%{{.*}}) in 4 at unroll reduce
func.func @own_fold(%x: memref<?x?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %l: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %L = %l : index, %X[%N, %L, %M] = %x : memref<?x?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.1, thread.y 32], j = [block.0, thread.x 8], k = [seq, unroll 4], split boundary, deal threads>,
                <i = [block.1], j = [block.0, thread.x 256], k = [seq, unroll 4], split boundary, deal threads>] of (%M) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "k" (%k) in %L reduce (%zero : f32) by arith.addf {
          %v = kernel.load %X[%i, %k, %j] : memref<?x?x?xf32>
          kernel.yield %v : f32
        }
        kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// What has a mask is taken together as long as all ask for 16 words: of 8 rows
// of three words 4.
// CHECK-LABEL: @parts
// CHECK: } else {
// CHECK:   kernel.for "i.1" (%[[PART:.*]]) in 2 at seq {
// CHECK:     kernel.for "i.1" (%[[STEP:.*]]) in 4 at unroll {
// CHECK:       scf.if
// CHECK-COUNT-3: kernel.load
func.func @parts(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>)
      versions [<when = affine_set<()[s0] : (8 - s0 >= 0)>, i = [block.1, unroll 8, thread.y 32], j = [block.0, thread.x 8], split boundary, deal threads>,
                <i = [block.1, unroll 8], j = [block.0, thread.x 256], split boundary, deal threads>] of (%M) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = kernel.load %X[%i, %j] : memref<?x?xf32>
        %c = kernel.load %X[%i, %j] : memref<?x?xf32>
        %d = arith.addf %a, %b : f32
        %e = arith.addf %c, %d : f32
        kernel.store %e, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
