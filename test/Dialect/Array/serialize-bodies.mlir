// Bodies whose arrays change their size run in loops of the host.
// RUN: arr-opt %s --arr-serialize-bodies --split-input-file | FileCheck %s

// The carried array has names for its sizes.
// CHECK-LABEL: func @no_named
// CHECK: array.map
func.func @no_named(%v: tensor<?xi64>, %n: index, %m: index) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%b) in (%n) {
    %x = scf.for %k = %c0 to %b step %c1 iter_args(%a = %v) -> (tensor<?xi64>) {
      %w = array.bind %a [%m] : tensor<?xi64>
      %next = array.map (%i) in (%m) {
        %e = array.at %w[%i] inbounds : tensor<?xi64>
        array.yield %e : i64
      } : tensor<?xi64>
      scf.yield %next : tensor<?xi64>
    }
    %w = array.bind %x [%m] : tensor<?xi64>
    %e = array.at %w[%c0] : tensor<?xi64>
    array.yield %e : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// Nothing but elements changes.
// CHECK-LABEL: func @no_updated
// CHECK: array.map
func.func @no_updated(%v: tensor<?xi64>, %n: index, %one: i64) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%b) in (%n) {
    %x = scf.for %k = %c0 to %b step %c1 iter_args(%a = %v) -> (tensor<?xi64>) {
      %next = tensor.insert %one into %a[%k] : tensor<?xi64>
      scf.yield %next : tensor<?xi64>
    }
    %e = array.at %x[%c0] : tensor<?xi64>
    array.yield %e : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// CHECK-LABEL: func @map
// CHECK-SAME: %[[V:.*]]: tensor<?xi64>, %[[N:.*]]: index
// CHECK: %[[E:.*]] = tensor.empty(%[[N]])
// CHECK: %[[R:.*]] = scf.for %[[B:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[A:.*]] = %[[E]])
// CHECK: scf.while
// CHECK: %[[S:.*]] = array.reduce
// CHECK: %[[I:.*]] = tensor.insert %[[S]] into %[[A]][%[[B]]]
// CHECK: scf.yield %[[I]]
// CHECK: %[[W:.*]] = array.bind %[[R]] [%[[N]]]
// CHECK: return %[[W]]
func.func @map(%v: tensor<?xi64>, %n: index, %z: i64) -> tensor<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%b) in (%n) {
    %x = scf.while (%a = %v) : (tensor<?xi64>) -> tensor<?xi64> {
      %d = tensor.dim %a, %c0 : tensor<?xi64>
      %more = arith.cmpi ugt, %d, %b : index
      scf.condition(%more) %a : tensor<?xi64>
    } do {
    ^bb0(%a: tensor<?xi64>):
      %d = tensor.dim %a, %c0 : tensor<?xi64>
      %e = arith.subi %d, %c1 : index
      %next = array.view %a (i) -> (i + 1) in (%e) : tensor<?xi64> to tensor<?xi64>
      scf.yield %next : tensor<?xi64>
    }
    %d = tensor.dim %x, %c0 : tensor<?xi64>
    %s = array.reduce (%i) in (%d) init (%z : i64) {
      %e = array.at %x[%i] inbounds : tensor<?xi64>
      array.yield %e : i64
    } by arith.addi
    array.yield %s : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

// A fold reads what the loop computed; its product stays beside its sum.
// CHECK-LABEL: func @fold
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK: scf.if
// CHECK: array.reduce
// CHECK: %[[P:.*]] = array.at
// CHECK: %[[Q:.*]] = array.at
// CHECK: arith.mulf %[[P]], %[[Q]] fastmath<contract>
func.func @fold(%v: tensor<?xf32>, %w: tensor<?xf32>, %n: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = array.reduce (%b) in (%n) init (%z : f32) {
    %c = arith.cmpi ugt, %b, %c0 : index
    %x = scf.if %c -> (tensor<?xf32>) {
      scf.yield %v : tensor<?xf32>
    } else {
      scf.yield %w : tensor<?xf32>
    }
    %e = array.at %x[%b] : tensor<?xf32>
    %f = array.at %v[%b] : tensor<?xf32>
    %p = arith.mulf %e, %f fastmath<contract> : f32
    array.yield %p : f32
  } by arith.addf
  return %r : f32
}

// -----

// Rows, at places that are computed.
// CHECK-LABEL: func @scatter
// CHECK: scf.for
// CHECK: tensor.insert_slice
// CHECK: array.scatter
// CHECK: %[[ROW:.*]] = array.view
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: array.yield %[[ROW]] : tensor<?xi64> at [%[[AT]]]
func.func @scatter(%v: tensor<?xi64>, %w: tensor<?xi64>, %into: tensor<?x?xi64>, %n: index, %m: index) -> tensor<?x?xi64> {
  %c0 = arith.constant 0 : index
  %r = array.scatter (%b) in (%n) into (%into : tensor<?x?xi64>) {
    %c = arith.cmpi ugt, %b, %c0 : index
    %x = scf.if %c -> (tensor<?xi64>) {
      scf.yield %v : tensor<?xi64>
    } else {
      scf.yield %w : tensor<?xi64>
    }
    %y = array.map (%i) in (%m) {
      %e = array.at %x[%i] : tensor<?xi64>
      array.yield %e : i64
    } : tensor<?xi64>
    array.yield %y : tensor<?xi64> at [%b]
  }
  return %r : tensor<?x?xi64>
}
