// What is the same in all iterations is computed before them.
// RUN: arr-opt %s --arr-hoist-invariants --split-input-file | FileCheck %s

// CHECK-LABEL: func @no_division
// CHECK: array.map
// CHECK: arith.divui
func.func @no_division(%n: index, %k: index) -> tensor<?xindex> {
  %r = array.map (%i) in (%n) {
    %x = arith.divui %k, %n : index
    array.yield %x : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

// The loop may never run, and the divisor be zero.
// CHECK-LABEL: func @remainder
// CHECK-SAME: %[[N:.*]]: index, %[[K:.*]]: index
// CHECK: %[[OK:.*]] = arith.cmpi ne, %[[N]], %{{.*}} : index
// CHECK: %[[D:.*]] = arith.select %[[OK]], %[[N]], %{{.*}} : index
// CHECK: arith.remsi %[[K]], %[[D]]
// CHECK: array.map
func.func @remainder(%n: index, %k: index) -> tensor<?xindex> {
  %r = array.map (%i) in (%n) {
    %x = arith.remsi %k, %n : index
    array.yield %x : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

// Moved with the loop that has as many points as its divisor says.
// CHECK-LABEL: func @remainder_of_its_own_loop
// CHECK: array.map (%[[J:.*]]) in (%[[N:.*]]) {
// CHECK-NEXT: arith.remsi %[[J]], %[[N]]
// CHECK: array.map
func.func @remainder_of_its_own_loop(%n: index, %m: index) -> tensor<?xindex> {
  %r = array.map (%i) in (%m) {
    %t = array.map (%j) in (%n) {
      %x = arith.remsi %j, %n : index
      array.yield %x : index
    } : tensor<?xindex>
    %y = array.at %t[%i] : tensor<?xindex>
    array.yield %y : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
