// RUN: arr-opt %s --arr-transpose-reductions --split-input-file | FileCheck %s

// Different operators, different initial values.
// CHECK-LABEL: @no_operator
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
func.func @no_operator(%n: index, %m: index, %a: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %t = array.reduce (%j) in (%m) init (%z : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.maximumf
    array.yield %t : f32
  } by arith.addf
  return %s : f32
}
// CHECK-LABEL: @no_init
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
func.func @no_init(%n: index, %m: index, %a: tensor<?x?xf32>, %z: f32, %y: f32) -> f32 {
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %t = array.reduce (%j) in (%m) init (%y : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %t : f32
  } by arith.addf
  return %s : f32
}

// Work on the inner result; work between that would be repeated; an extent that
// differs between iterations.
// CHECK-LABEL: @no_work
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
func.func @no_work(%n: index, %m: index, %a: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %t = array.reduce (%j) in (%m) init (%z : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    %u = math.exp %t : f32
    array.yield %u : f32
  } by arith.addf
  return %s : f32
}
// CHECK-LABEL: @no_repeated_read
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
func.func @no_repeated_read(%n: index, %m: index, %a: tensor<?x?xf32>, %v: tensor<?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %w = array.at %v[%i] inbounds : tensor<?xf32>
    %t = array.reduce (%j) in (%m) init (%z : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      %p = arith.mulf %x, %w : f32
      array.yield %p : f32
    } by arith.addf
    array.yield %t : f32
  } by arith.addf
  return %s : f32
}
// CHECK-LABEL: @no_triangle
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
// CHECK: array.reduce (%{{[a-z0-9]+}}) in (%{{[a-z0-9]+}}) init
func.func @no_triangle(%n: index, %a: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %t = array.reduce (%j) in (%i) init (%z : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %t : f32
  } by arith.addf
  return %s : f32
}

// The order stays where the operator does not commute, and where a read may be
// an error: the first one in index order is reported.
// CHECK-LABEL: @no_commuting
// CHECK: array.reduce (%[[J:[a-z0-9]+]], %[[I:[a-z0-9]+]]) in
// CHECK: array.at %{{.*}}[%[[I]], %[[J]]]
func.func @no_commuting(%n: index, %m: index, %a: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%j, %i) in (%m, %n) init (%z : f32) {
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %x : f32
  } by (%p: f32, %q: f32) {
    %r = arith.addf %q, %p : f32
    array.yield %r : f32
  }
  return %s : f32
}
// CHECK-LABEL: @no_error
// CHECK: array.reduce (%[[J:[a-z0-9]+]], %[[I:[a-z0-9]+]]) in
// CHECK: array.at %{{.*}}[%[[I]], %[[J]]]
func.func @no_error(%n: index, %m: index, %a: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%j, %i) in (%m, %n) init (%z : f32) {
    %x = array.at %a[%i, %j] : tensor<?x?xf32>
    array.yield %x : f32
  } by arith.addf
  return %s : f32
}

// A person wrote how it runs.
// CHECK-LABEL: @no_written
// CHECK: array.reduce (%[[J:[a-z0-9]+]], %[[I:[a-z0-9]+]]) in
// CHECK: array.at %{{.*}}[%[[I]], %[[J]]]
func.func @no_written(%n: index, %m: index, %a: tensor<?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%j, %i) in (%m, %n) init (%z : f32) attributes {arrc.seq} {
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %x : f32
  } by arith.addf
  return %s : f32
}

// What differs between the points of the map is computed in it.
// CHECK-LABEL: @no_invariant
// CHECK: array.map
// CHECK-NEXT: array.reduce
// CHECK-NEXT: array.reduce
func.func @no_invariant(%n: index, %m: index, %a: tensor<?x?xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%j) in (%m) {
    %s = array.reduce (%i) in (%n) init (%z : f32) {
      %t = array.reduce (%l) in (%n) init (%z : f32) {
        %x = array.at %a[%l, %j] inbounds : tensor<?x?xf32>
        array.yield %x : f32
      } by arith.addf
      %y = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      %q = arith.divf %y, %t : f32
      array.yield %q : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Three deep, and then in the order of memory.
// CHECK-LABEL: @nest
// CHECK-SAME: (%[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index,
// CHECK: array.reduce (%[[A:[a-z0-9]+]] "c", %[[B:[a-z0-9]+]] "b", %[[C:[a-z0-9]+]] "a") in (%[[K]], %[[M]], %[[N]]) init
// CHECK-NEXT: array.at %{{.*}}[%[[A]], %[[B]], %[[C]]]
// CHECK-NEXT: array.yield
// CHECK-NEXT: } by arith.addf fastmath<contract>
func.func @nest(%n: index, %m: index, %k: index, %a: tensor<?x?x?xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%i "a") in (%n) init (%z : f32) {
    %t = array.reduce (%j "b") in (%m) init (%z : f32) {
      %u = array.reduce (%l "c") in (%k) init (%z : f32) {
        %x = array.at %a[%l, %j, %i] inbounds : tensor<?x?x?xf32>
        array.yield %x : f32
      } by arith.addf fastmath<contract>
      array.yield %u : f32
    } by arith.addf fastmath<contract>
    array.yield %t : f32
  } by arith.addf fastmath<contract>
  return %s : f32
}

// -----

// Two accumulators; the wider array decides.
// CHECK-LABEL: @wider
// CHECK: array.reduce (%[[I:[a-z0-9]+]], %[[J:[a-z0-9]+]]) in (%{{.*}}, %{{.*}}) init (%{{.*}}, %{{.*}} : f64, f32)
// CHECK-NEXT: array.at %{{.*}}[%[[I]], %[[J]]] inbounds : tensor<?x?xf64>
// CHECK-NEXT: array.at %{{.*}}[%[[J]], %[[I]]] inbounds : tensor<?x?xf32>
func.func @wider(%n: index, %m: index, %a: tensor<?x?xf64>, %b: tensor<?x?xf32>) -> (f64, f32) {
  %z = arith.constant 0.0 : f64
  %o = arith.constant 0.0 : f32
  %s, %t = array.reduce (%j, %i) in (%m, %n) init (%z, %o : f64, f32) {
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf64>
    %y = array.at %b[%j, %i] inbounds : tensor<?x?xf32>
    array.yield %x, %y : f64, f32
  } by arith.addf
  return %s, %t : f64, f32
}

// -----

// The sums of rows by which a sum of columns divides are computed once.
// CHECK-LABEL: @invariant
// CHECK-SAME: (%[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index, %[[A:[a-z0-9]+]]: tensor<?x?xf32>)
// CHECK: %[[Q:[a-z0-9]+]] = array.map (%[[I:[a-z0-9]+]]) in (%[[N]]) {
// CHECK-NEXT: %[[T:[a-z0-9]+]] = array.reduce (%[[L:[a-z0-9]+]]) in (%[[M]])
// CHECK-NEXT: array.at %[[A]][%[[I]], %[[L]]]
// CHECK: array.yield %[[T]]
// CHECK: array.map (%[[J:[a-z0-9]+]]) in (%[[M]]) {
// CHECK-NEXT: array.reduce (%[[K:[a-z0-9]+]]) in (%[[N]])
// CHECK-NEXT: array.at %[[Q]][%[[K]]] inbounds
// CHECK-NEXT: array.at %[[A]][%[[K]], %[[J]]]
func.func @invariant(%n: index, %m: index, %a: tensor<?x?xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%j) in (%m) {
    %s = array.reduce (%i) in (%n) init (%z : f32) {
      %t = array.reduce (%l) in (%m) init (%z : f32) {
        %x = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
        array.yield %x : f32
      } by arith.addf
      %y = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      %q = arith.divf %y, %t : f32
      array.yield %q : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
