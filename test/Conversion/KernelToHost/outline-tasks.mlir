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
