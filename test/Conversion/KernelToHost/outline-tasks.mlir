// Parallel loops become functions over ranges of tasks.
// RUN: arr-opt %s --outline-tasks --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_folds(%n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{folds and cannot become tasks}}
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// -----

// CHECK-LABEL: llvm.func @arrt_parallel(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
// CHECK: func.func private @fill_task0(%[[BEGIN:.*]]: index, %[[END:.*]]: index, %{{.*}}: index, %[[V:.*]]: f32, %[[X:.*]]: memref<?xf32>) attributes {arrc.noalias, arrc.task, llvm.linkage = #llvm.linkage<internal>}
// CHECK:   scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:     memref.store %[[V]], %[[X]][%[[I]]]
// CHECK: llvm.func internal @fill_task0_entry(%[[ENV:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK:   llvm.load %{{.*}} : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:   func.call @fill_task0
// CHECK: func.func @fill(%[[CTX:.*]]: !llvm.ptr {arrc.context}
// CHECK:   %[[FN:.*]] = llvm.mlir.addressof @fill_task0_entry
// CHECK:   %[[SLOTS:.*]] = llvm.alloca
// CHECK:   llvm.call @arrt_parallel(%[[CTX]], %[[FN]], %[[SLOTS]],
func.func @fill(%x: memref<?xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
  } {arrc.noalias}
  return
}

// -----

// Two dimensions are one space of tasks; a parallel loop inside runs in order.
// CHECK: func.func private @grid_task0(%[[BEGIN:[a-z0-9]*]]: index, %[[END:[a-z0-9]*]]: index,
// CHECK:   scf.for %[[T:.*]] = %[[BEGIN]] to %[[END]]
// CHECK:     %[[J:.*]] = arith.remsi %[[T]], %[[M:[a-z0-9]*]] :
// CHECK:     %[[I:.*]] = arith.divsi %[[T]], %[[M]]
// CHECK:     scf.for
// CHECK:       memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK-NOT: scf.parallel
func.func @grid(%x: memref<?x?xf32>, %v: f32, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      memref.store %v, %x[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----

// A task's own memory is taken once a range.
// CHECK: func.func private @scratch_task0
// CHECK:   %[[A:.*]] = memref.alloc(%{{.*}}) {arrc.local}
// CHECK:   scf.for
// CHECK:   memref.dealloc %[[A]]
// CHECK:   return
func.func @scratch(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%n) {arrc.local} : memref<?xf32>
    %u = memref.load %x[%i] : memref<?xf32>
    memref.store %u, %a[%i] : memref<?xf32>
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %x[%i] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// -----

// It may stand in a branch that no task takes, as what a size below 0 says.
// CHECK: func.func private @branch_task0
// CHECK:   %[[C0:.*]] = arith.constant 0 : index
// CHECK:   %[[SIZE:.*]] = arith.maxsi %{{.*}}, %[[C0]] : index
// CHECK:   %[[A:.*]] = memref.alloc(%[[SIZE]]) {arrc.local}
// CHECK:   scf.for
// CHECK:     scf.if
func.func @branch(%x: memref<?xf32>, %n: index, %below: index, %large: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.if %large {
      %a = memref.alloc(%below) {arrc.local} : memref<?xf32>
      %u = memref.load %x[%i] : memref<?xf32>
      memref.store %u, %a[%i] : memref<?xf32>
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %x[%i] : memref<?xf32>
      memref.dealloc %a : memref<?xf32>
    }
  }
  return
}

// -----

// How many tasks are worth a worker follows from the operations of one: a loop
// in blocks runs 1024 times at most, what is left of the block not at all
// (not 32 times both, which made 245 tasks worth a worker).
// CHECK: func.func @blocks(%[[CTX:.*]]: !llvm.ptr
// CHECK:   %[[GRAIN:.*]] = arith.constant 17 : i64
// CHECK:   llvm.call @arrt_parallel(%[[CTX]], %{{.*}}, %[[GRAIN]])
func.func @blocks(%x: memref<?xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %c16384 = arith.constant 16384 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %first = arith.muli %i, %c16384 : index
    %left = arith.subi %n, %first : index
    %vectors = arith.ceildivsi %left, %c16 : index
    %some = arith.minsi %vectors, %c1024 : index
    %steps = arith.maxsi %some, %c0 : index
    scf.for %k = %c0 to %steps step %c1 {
      memref.store %v, %x[%k] : memref<?xf32>
    }
    %rest = arith.subi %some, %steps : index
    scf.for %k = %c0 to %rest step %c1 {
      memref.store %v, %x[%k] : memref<?xf32>
    }
  }
  return
}

// -----

// Chunks as large as a number can say: of all that is left, 1024 iterations, one
// is as large. (Products of 2^62 once made a task nothing.)
// CHECK: func.func @long_chunks(%[[CTX:.*]]: !llvm.ptr
// CHECK:   %[[GRAIN:.*]] = arith.constant 17 : i64
// CHECK:   llvm.call @arrt_parallel(%[[CTX]], %{{.*}}, %[[GRAIN]])
func.func @long_chunks(%context: !llvm.ptr {arrc.context}, %x: memref<?xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %most = arith.constant 4611686018427387904 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %left = arith.subi %n, %i : index
    %some = arith.minsi %left, %c1024 : index
    scf.for %j = %c0 to %some step %most {
      %next = arith.addi %j, %most : index
      %end = arith.minsi %next, %some : index
      scf.for %k = %j to %end step %c1 {
        memref.store %v, %x[%k] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A chunk, from its start to the smaller of its end and that of all; a length
// that is known in front of the tasks counts as it is.
// CHECK: func.func @chunk(%{{.*}} %{{[^ ]*}}: index, %[[M:[^ ]*]]: index)
// CHECK:   %[[TRIPS:.*]] = arith.maxsi %[[M]], %{{.*}}
// CHECK:   %[[FEW:.*]] = arith.minsi %[[TRIPS]], %c1048576
// CHECK:   arith.muli %[[FEW]]
// CHECK:   arith.ceildivui
func.func @chunk(%x: memref<?xf32>, %v: f32, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %first = arith.muli %i, %c64 : index
    %next = arith.addi %first, %c64 : index
    %end = arith.minsi %next, %n : index
    scf.for %k = %first to %end step %c1 {
      scf.for %l = %c0 to %m step %c1 {
        memref.store %v, %x[%l] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// What a loop of the host holds for itself is taken from the stack once.
// CHECK-LABEL: func.func @rows(
// CHECK: memref.alloca() : memref<256xi64>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @rows(%x: memref<?xi64>, %v: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %counts = memref.alloca() : memref<256xi64>
    memref.store %v, %counts[%i] : memref<256xi64>
    %w = memref.load %counts[%c0] : memref<256xi64>
    memref.store %w, %x[%i] : memref<?xi64>
  }
  return
}
