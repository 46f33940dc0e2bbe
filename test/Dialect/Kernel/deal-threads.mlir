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
// dimension how many threads walk it, and factors for the quotients by that
// number and by how far apart they stand. Of i these are 2^5 at most, behind
// those of j, of which there are 2^3; or none, and 2^8.
// CHECK-LABEL: @two
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// CHECK: %[[CODE:.*]] = arith.select %{{.*}}, %c51707904, %c149946368
// CHECK: %[[BITS:.*]] = arith.shrui %[[CODE]], %c16
// CHECK: %[[LOG_I:.*]] = arith.andi %[[BITS]]
// CHECK: %[[RANK_I:.*]] = arith.andi
// CHECK: %[[LOG_J:.*]] = arith.andi
// CHECK: %[[RANK_J:.*]] = arith.andi
// Who is first has what one block has place for, or an even part of what there
// is: along j, where memory goes on, in multiples of 8.
// CHECK: %[[I_FIRST:.*]] = arith.cmpi eq, %[[RANK_I]], %c0
// CHECK: %[[J_FIRST:.*]] = arith.cmpi eq, %[[RANK_J]], %c0
// CHECK: %[[UNIT:.*]] = arith.select %[[J_FIRST]], %c8
// CHECK: %[[ITEMS:.*]] = arith.maxsi
// CHECK: %[[IS_ALL:.*]] = arith.cmpi ule, %[[ITEMS]], %[[ROOM:.*]] : index
// CHECK: %[[BLOCKS:.*]] = arith.ceildivui %[[ITEMS]], %[[MOST:.*]] : index
// CHECK: %[[EVEN:.*]] = arith.ceildivui %[[ITEMS]], %[[BLOCKS]]
// CHECK: %[[UNITS:.*]] = arith.ceildivui %[[EVEN]], %[[UNIT]]
// CHECK: arith.muli %[[UNITS]], %[[UNIT]]
// CHECK: arith.minui %{{.*}}, %[[MOST]]
// CHECK: %[[LANES:.*]] = arith.select %[[IS_ALL]], %[[ITEMS]]
// The others: as many as these leave.
// CHECK: %[[I_SECOND:.*]] = arith.cmpi eq, %[[RANK_I]], %c1
// CHECK: %[[MORE:.*]] = arith.shli %[[ROOM]]
// CHECK: arith.divui %[[MORE]], %[[LANES]]
// CHECK: %[[TI:.*]] = arith.select %[[I_SECOND]]
// CHECK: %[[SI:.*]] = arith.select %[[I_SECOND]], %[[LANES]]
// CHECK: %[[BY_TI:.*]] = arith.ceildivui %c1048576{{.*}}, %[[TI]]
// CHECK: %[[BY_SI:.*]] = arith.ceildivui %c1048576{{.*}}, %[[SI]]
// CHECK: kernel.launch @k (%N = %[[N]] : index, %M = %[[M]] : index, %[[A:.*]] = %[[TI]] : index, %[[B:.*]] = %[[BY_TI]] : index, %[[C:.*]] = %[[BY_SI]] : index,
// CHECK-SAME: schedule #kernel.schedule<i = [block.1, unroll 2], j = [block.0], split boundary, deal threads>
// CHECK-DAG: %[[T_I:.*]] = arith.andi %[[A]], %c2047
// CHECK-DAG: %[[BY_T_I:.*]] = arith.andi %[[B]], %c2097151
// CHECK-DAG: %[[BY_S_I:.*]] = arith.andi %[[C]], %c2097151
// CHECK: %[[THREADS_I:.*]] = arith.maxsi %[[T_I]], %c1
// CHECK: %[[BLOCKS_I:.*]] = arith.divui %{{.*}}, %[[THREADS_I]]
// CHECK: kernel.for "i.0" (%[[BI:.*]]) in %[[BLOCKS_I]] at block.1 {
// CHECK:   kernel.for "j.0" (%{{.*}}) in %{{.*}} at block.0 {
// CHECK:     kernel.for "threads" (%[[T:.*]]) in 256 at thread.x {
// CHECK:       arith.muli %[[T]], %[[BY_S_I]]
// CHECK:       %[[PLACE:.*]] = arith.shrui
// CHECK:       arith.muli %[[PLACE]], %[[BY_T_I]]
// CHECK:       %[[ROUND:.*]] = arith.muli %{{.*}}, %[[THREADS_I]]
// CHECK:       arith.subi %[[PLACE]], %[[ROUND]]
// CHECK:       arith.muli %[[BI]], %[[THREADS_I]]
// CHECK:       arith.muli %[[THREADS_I]]
// CHECK:       %[[ALL:.*]] = arith.andi %{{.*}}, %c2047
// CHECK:       arith.cmpi slt, %[[T]], %[[ALL]]
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

// Blocks of another size are another kernel; one dimension alone has all threads.
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

// -----

// What one schedule says is known, but for the sizes.
// CHECK-LABEL: @alone
// CHECK-SAME: %[[N:[a-z0-9]*]]: index, %[[M:[a-z0-9]*]]: index
// CHECK: %[[ITEMS:.*]] = arith.maxsi %[[M]], %c1
// CHECK: arith.cmpi ule, %[[ITEMS]], %c8
// CHECK: %[[LANES:.*]] = arith.select %{{.*}}, %[[ITEMS]]
// CHECK: arith.divui %c256, %[[LANES]]
// CHECK: kernel.launch @k {{.*}} schedule #kernel.schedule<i = [block.1], j = [block.0], deal threads>
// CHECK: kernel.for "threads" (%{{.*}}) in 256 at thread.x
func.func @alone(%x: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index) outs (%X[%N, %M] = %x : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, thread.y 32], j = [block.0, thread.x 8], deal threads> {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
      }
    }
  }
  return
}

// -----

func.func @unknown(%x: memref<?x?xf32>, %y: memref<?xindex>, %n: index, %m: index) {
  // expected-error @+1 {{has a schedule that deals threads, and no host knows how long 'i' is}}
  kernel.launch @k (%M = %m : index, %N = %n : index, %Y[%M] = %y : memref<?xindex>) outs (%X[%N, %M] = %x : memref<?x?xf32>)
      schedule #kernel.schedule<i = [block.1, thread.y 32], j = [block.0, thread.x 8], deal threads> {
    %zero = arith.constant 0 : index
    %rows = kernel.load %Y[%zero] : memref<?xindex>
    kernel.for "i" (%i) in %rows {
      kernel.for "j" (%j) in %M {
      }
    }
  }
  return
}
