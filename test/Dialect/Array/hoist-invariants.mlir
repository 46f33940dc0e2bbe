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
func.func @remainder_of_its_own_loop(%a: tensor<?xf32>, %m: index)
    -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
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

// -----

// The loop may never run, and the array be empty: what is read in it stays.
// CHECK-LABEL: func @no_read_of_nothing
// CHECK: array.map
// CHECK: array.at
func.func @no_read_of_nothing(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = array.bind %a [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %x = array.at %b[%c0] inbounds : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// The same, of a fold that reads the first row. A view of it reads nothing.
// CHECK-LABEL: func @no_rows_of_nothing
// CHECK: array.view
// CHECK: array.map
// CHECK: array.reduce
// CHECK: array.at
func.func @no_rows_of_nothing(%a: tensor<?x4xf32>)
    -> (tensor<?xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %b = array.bind %a [%n, 4] : tensor<?x4xf32>
  %r, %s = array.map (%i) in (%n) {
    %row = array.view %b (d0)[s0] -> (s0, d0) [%c0] in (4)
      : tensor<?x4xf32> to tensor<4xf32>
    %sum = array.reduce (%j) in (4) init (%zero : f32) {
      %x = array.at %b[%c0, %j] inbounds : tensor<?x4xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %sum, %row : f32, tensor<4xf32>
  } : tensor<?xf32>, tensor<?x4xf32>
  return %r, %s : tensor<?xf32>, tensor<?x4xf32>
}

// -----

// An index of a loop outside, and a constant of a fixed size, are inside.
// CHECK-LABEL: func @reads_that_are_inside
// CHECK: array.at %{{.*}}[%c3]
// CHECK: array.map (%[[I:.*]]) in
// CHECK: array.at %{{.*}}[%[[I]]]
// CHECK: array.map
func.func @reads_that_are_inside(%a: tensor<?xf32>, %k: tensor<4xf32>,
                                 %m: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %b = array.bind %a [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %t = array.map (%j) in (%m) {
      %x = array.at %b[%i] inbounds : tensor<?xf32>
      %y = array.at %k[%c3] inbounds : tensor<4xf32>
      %z = arith.addf %x, %y : f32
      array.yield %z : f32
    } : tensor<?xf32>
    array.yield %t : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Room of a negative size is none.
// CHECK-LABEL: func @no_room
// CHECK: array.map
// CHECK: tensor.empty
func.func @no_room(%a: tensor<?xf32>) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
  %r = array.map (%i) in (%n) {
    %e = tensor.empty(%m) : tensor<?xf32>
    %d = tensor.dim %e, %c0 : tensor<?xf32>
    array.yield %d : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

// -----

// Two folds that a row decides are computed once for it, one that a column does
// once for that; what both decide, and what is in a branch, stays.
// CHECK-LABEL: func @partial
func.func @partial(%a0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a0, %c1 : tensor<?x?xf32>
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  // CHECK: %[[ROWS:.*]]:2 = array.map (%[[R:.*]] "i") in (%[[N:.*]]) {
  // CHECK:   %[[S:.*]] = array.reduce
  // CHECK:   %[[T:.*]] = array.reduce
  // CHECK:     arith.divf %{{.*}}, %[[S]]
  // CHECK:   array.yield %[[S]], %[[T]]
  // CHECK: %[[COLUMNS:.*]] = array.map (%{{.*}} "j") in (%[[M:.*]]) {
  // CHECK:   array.reduce
  // CHECK: array.map (%[[I:.*]] "i", %[[J:.*]] "j") in (%[[N]], %[[M]]) {
  // CHECK-DAG: array.at %[[ROWS]]#0[%[[I]]] inbounds
  // CHECK-DAG: array.at %[[ROWS]]#1[%[[I]]] inbounds
  // CHECK-DAG: array.at %[[COLUMNS]][%[[J]]] inbounds
  // CHECK: array.reduce
  // CHECK: scf.if
  // CHECK:   array.reduce
  // CHECK: return
  %r = array.map (%i "i", %j "j") in (%n, %m) {
    %s = array.reduce (%k) in (%m) init (%zero : f32) {
      %x = array.at %a[%i, %k] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    %t = array.reduce (%k) in (%m) init (%zero : f32) {
      %x = array.at %a[%i, %k] inbounds : tensor<?x?xf32>
      %y = arith.divf %x, %s : f32
      array.yield %y : f32
    } by arith.addf
    %u = array.reduce (%k) in (%n) init (%zero : f32) {
      %x = array.at %a[%k, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    %v = array.reduce (%k) in (%n) init (%zero : f32) {
      %x = array.at %a[%k, %j] inbounds : tensor<?x?xf32>
      %y = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      %z = arith.mulf %x, %y : f32
      array.yield %z : f32
    } by arith.addf
    %o = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    %p = arith.cmpf ogt, %o, %zero : f32
    %q = scf.if %p -> f32 {
      %w = array.reduce (%k) in (%m) init (%zero : f32) {
        %x = array.at %a[%i, %k] inbounds : tensor<?x?xf32>
        array.yield %x : f32
      } by arith.addf
      scf.yield %w : f32
    } else {
      scf.yield %o : f32
    }
    %1 = arith.addf %s, %t : f32
    %2 = arith.addf %u, %v : f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.addf %3, %q : f32
    array.yield %4 : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
