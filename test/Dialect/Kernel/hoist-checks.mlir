// RUN: arr-opt %s --kernel-hoist-checks | FileCheck %s

// The step decides.
// CHECK-LABEL: @no_step
func.func @no_step(%n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  // CHECK-NOT: array.check
  // CHECK: scf.for
  // CHECK: array.check
  scf.for %k = %c0 to %n step %c1 {
    %ok = arith.cmpi ult, %k, %c1 : index
    array.check index %ok, "index {0}" [%k : index]
  }
  return
}

// What may fail before it is reported first.
// CHECK-LABEL: @no_second
func.func @no_second(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %fits = arith.cmpi sgt, %m, %c1 : index
  // CHECK-NOT: array.check
  // CHECK: scf.for
  // CHECK: array.check index %{{.*}}, "step {0}"
  // CHECK: array.check index %{{.*}}, "size {0}"
  scf.for %k = %c0 to %n step %c1 {
    %ok = arith.cmpi ult, %k, %c1 : index
    array.check index %ok, "step {0}" [%k : index]
    array.check index %fits, "size {0}" [%m : index]
  }
  return
}

// A conditional loop may have no step.
// CHECK-LABEL: @no_while
func.func @no_while(%m: index, %go: memref<i1>) {
  %c1 = arith.constant 1 : index
  %fits = arith.cmpi sgt, %m, %c1 : index
  // CHECK: kernel.iterate
  // CHECK: array.check
  kernel.iterate while (%g = %go : memref<i1>) {
    array.check index %fits, "size {0}" [%m : index]
    kernel.continue while %g : memref<i1>
  }
  return
}

// Both loops are left, and what one has asked the other need not.
// CHECK-LABEL: @nested
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
func.func @nested(%n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  // CHECK: %[[NONE:.*]] = arith.cmpi sge, %{{.*}}, %[[N]] : index
  // CHECK: %[[FITS:.*]] = arith.cmpi sgt, %[[M]]
  // CHECK: %[[FINE:.*]] = arith.ori %[[NONE]], %[[FITS]]
  // CHECK: array.check index %[[FINE]], "size {0}"[%[[M]] : index]
  // CHECK: %[[EMPTY:.*]] = arith.cmpi sle, %[[M]]
  // CHECK: array.check index %{{.*}}, "inner {0}"
  // CHECK: scf.for
  // CHECK-NOT: array.check
  // CHECK: kernel.iterate
  // CHECK-NOT: array.check
  scf.for %k = %c0 to %n step %c1 {
    %fits = arith.cmpi sgt, %m, %c1 : index
    array.check index %fits, "size {0}" [%m : index]
    array.check index %fits, "again {0}" [%m : index]
    kernel.iterate times (%l in %m) {
      %less = arith.cmpi slt, %m, %n : index
      array.check index %less, "inner {0}" [%m : index]
      kernel.continue
    }
  }
  return
}
