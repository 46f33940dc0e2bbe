// RUN: arr-opt %s --arr-batch-sorts --canonicalize --split-input-file | FileCheck %s

// Rows of an array are sorted where they are.
// CHECK-LABEL: @rows
// CHECK-SAME: (%[[X0:.*]]: tensor<?x?xf32>)
func.func @rows(%x0: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x0, %c1 : tensor<?x?xf32>
  %x = array.bind %x0 [%n, %m] : tensor<?x?xf32>
  // CHECK: %[[X:.*]] = array.bind %[[X0]]
  // CHECK-NOT: array.map
  // CHECK: %[[S:.*]] = array.sort %[[X]] unsigned : tensor<?x?xf32>
  // CHECK-NOT: array.map
  // CHECK: return %[[S]]
  %r = array.map (%i "i") in (%n) {
    %k = array.view %x (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    %s = array.sort %k unsigned : tensor<?xf32>
    array.yield %s : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Through two bodies, of keys that are computed there, with what moves along.
// CHECK-LABEL: @nested
func.func @nested(%x: tensor<?x?x?xi32>, %v: tensor<?xi64>, %n: index, %m: index, %k: index) -> tensor<?x?xi64> {
  // CHECK: %[[ROWS:.*]]:2 = array.map (%{{.*}} "i") in (%{{.*}}) {
  // CHECK:   array.map (%{{.*}} "j") in (%{{.*}}) {
  // CHECK:     array.map (%{{.*}} "l") in (%{{.*}}) {
  // CHECK: } : tensor<?x?x?xi32>, tensor<?x?x?xi64>
  // CHECK: %[[S:.*]]:2 = array.sort %[[ROWS]]#0, %[[ROWS]]#1 : tensor<?x?x?xi32>, tensor<?x?x?xi64>
  // CHECK: array.map (%[[I:.*]] "i") in
  // CHECK:   array.map (%[[J:.*]] "j") in
  // CHECK:     array.view %[[S]]#1 (d0)[s0, s1] -> (s0, s1, d0) [%[[I]], %[[J]]]
  %c0 = arith.constant 0 : index
  %r = array.map (%i "i") in (%n) {
    %row = array.map (%j "j") in (%m) {
      %keys = array.map (%l "l") in (%k) {
        %e = array.at %x[%i, %j, %l] : tensor<?x?x?xi32>
        %f = arith.muli %e, %e : i32
        array.yield %f : i32
      } : tensor<?xi32>
      %w = array.view %v (d0) -> (d0) in (%k) : tensor<?xi64> to tensor<?xi64>
      %s:2 = array.sort %keys, %w : tensor<?xi32>, tensor<?xi64>
      %e = array.at %s#1[%c0] : tensor<?xi64>
      array.yield %e : i64
    } : tensor<?xi64>
    array.yield %row : tensor<?xi64>
  } : tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}

// -----

// Not below a branch; not rows whose length their index decides; not few
// elements.
// CHECK-LABEL: @stay
func.func @stay(%x: tensor<?x?xf32>, %y: tensor<?x7xf32>, %n: index, %m: index, %c: i1) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  // CHECK-NOT: array.sort
  // CHECK: array.map
  %c0 = arith.constant 0 : index
  %r = array.map (%i "i") in (%n) {
    // CHECK: scf.if
    // CHECK: array.sort
    %v = scf.if %c -> f32 {
      %k = array.view %x (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
      %s = array.sort %k : tensor<?xf32>
      %e = array.at %s[%c0] : tensor<?xf32>
      scf.yield %e : f32
    } else {
      %z = arith.constant 0.0 : f32
      scf.yield %z : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  // CHECK: array.map
  %q = array.map (%i "i") in (%n) {
    %k = array.view %x (d0)[s0] -> (s0, d0) [%i] in (%i) : tensor<?x?xf32> to tensor<?xf32>
    // CHECK: array.sort
    %s = array.sort %k : tensor<?xf32>
    %e = array.at %s[%c0] : tensor<?xf32>
    array.yield %e : f32
  } : tensor<?xf32>
  // CHECK: array.map
  %t = array.map (%i "i") in (%n) {
    %k = array.view %y (d0)[s0] -> (s0, d0) [%i] in (7) : tensor<?x7xf32> to tensor<7xf32>
    // CHECK: array.sort
    %s = array.sort %k : tensor<7xf32>
    %e = array.at %s[%c0] : tensor<7xf32>
    array.yield %e : f32
  } : tensor<?xf32>
  return %r, %q, %t : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
