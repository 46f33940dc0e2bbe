// RUN: arr-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @no_at_of_view_unproved
// CHECK: array.view
// CHECK: array.at
// A slice is smaller than its source: what is outside of it may be inside of that.
func.func @no_at_of_view_unproved(%a: tensor<?xf32>, %lo: index, %m: index, %i: index) -> f32 {
  %b = array.view %a (d0)[s0] -> (d0 + s0) [%lo] in (%m) : tensor<?xf32> to tensor<?xf32>
  %x = array.at %b[%i] : tensor<?xf32>
  return %x : f32
}

// CHECK-LABEL: func @at_of_view
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[LO:.*]]: index, %[[M:.*]]: index, %[[I:.*]]: index)
// CHECK: %[[K:.*]] = affine.apply #{{.*}}()[%[[LO]], %[[I]]]
// CHECK: array.at %[[A]][%[[K]], %[[M]]] inbounds
func.func @at_of_view(%a: tensor<?x?xf32>, %lo: index, %m: index, %i: index) -> f32 {
  %b = array.view %a (d0, d1)[s0] -> (d1 + s0, d0) [%lo] in (%m, %m) : tensor<?x?xf32> to tensor<?x?xf32>
  %x = array.at %b[%m, %i] inbounds : tensor<?x?xf32>
  return %x : f32
}

// CHECK-LABEL: func @view_of_view
// CHECK: array.view %{{.*}} (d0, d1)[s0] -> (d0 + 2, d1 + s0) [%{{.*}}] in
// CHECK-NOT: array.view
func.func @view_of_view(%a: tensor<?x?xf32>, %lo: index, %m: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %b = array.view %a (d0, d1)[s0] -> (d1 + s0, d0) [%c2] in (%m, %m) : tensor<?x?xf32> to tensor<?x?xf32>
  %c = array.view %b (d0, d1)[s0] -> (d1 + s0, d0) [%lo] in (%m, %m) : tensor<?x?xf32> to tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// CHECK-LABEL: func @view_identity
// CHECK-NOT: array.view
func.func @view_identity(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = array.bind %a0[%n] : tensor<?xf32>
  %b = array.view %a (d0) -> (d0) in (%n) : tensor<?xf32> to tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func @no_view_identity_shorter
// CHECK: array.view
func.func @no_view_identity_shorter(%a0: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %a = array.bind %a0[%n] : tensor<?xf32>
  %b = array.view %a (d0) -> (d0) in (%m) : tensor<?xf32> to tensor<?xf32>
  return %b : tensor<?xf32>
}

// CHECK-LABEL: func @extend_of_extend
// CHECK: array.extend %{{.*}} [wrap, clamp]
// CHECK-NOT: array.extend
func.func @extend_of_extend(%a: tensor<?x?xf32>, %i: index) -> f32 {
  %u = array.extend %a [wrap, mirror] : tensor<?x?xf32>
  %v = array.extend %u [none, clamp] : tensor<?x?xf32>
  %x = array.at %v[%i, %i] : tensor<?x?xf32>
  return %x : f32
}

// CHECK-LABEL: func @no_extend_of_two_fills
// CHECK-COUNT-2: array.extend
func.func @no_extend_of_two_fills(%a: tensor<?x?xf32>, %i: index, %c: f32, %d: f32) -> f32 {
  %u = array.extend %a [fill %c, none] : tensor<?x?xf32>
  %v = array.extend %u [none, fill %d] : tensor<?x?xf32>
  %x = array.at %v[%i, %i] : tensor<?x?xf32>
  return %x : f32
}

// CHECK-LABEL: func @at_of_elements
// CHECK-SAME: (%{{.*}}: f32, %[[B:.*]]: f32, %[[C:.*]]: f32
// CHECK: %[[T:.*]] = arith.constant 3.0
// CHECK: return %[[B]], %[[T]], %[[C]]
func.func @at_of_elements(%a: f32, %b: f32, %c: f32, %i: index, %n: index) -> (f32, f32, f32) {
  %c1 = arith.constant 1 : index
  %t = tensor.from_elements %a, %b : tensor<2xf32>
  %x = array.at %t[%c1] : tensor<2xf32>
  %d = arith.constant dense<[[1.0, 2.0], [5.0, 3.0]]> : tensor<2x2xf32>
  %y = array.at %d[%c1, %c1] : tensor<2x2xf32>
  %s = tensor.splat %c[%n] : tensor<?xf32>
  %z = array.at %s[%i] inbounds : tensor<?xf32>
  return %x, %y, %z : f32, f32, f32
}

// CHECK-LABEL: func @no_at_outside
// CHECK: array.at %{{.*}} : tensor<2xf32>
func.func @no_at_outside(%a: f32, %b: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %t = tensor.from_elements %a, %b : tensor<2xf32>
  %x = array.at %t[%c2] : tensor<2xf32>
  return %x : f32
}

// CHECK-LABEL: func @sizes
// CHECK-SAME: (%{{.*}}: tensor<?x9xf32>, %[[N:.*]]: index
// CHECK: %[[C9:.*]] = arith.constant 9
// CHECK: return %[[N]], %[[N]], %[[C9]]
func.func @sizes(%a0: tensor<?x9xf32>, %n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = array.bind %a0[%n, 9] : tensor<?x9xf32>
  %r = array.map (%i) in (%n) {
    %row = array.map (%j) in (%n) {
      %x = array.at %a[%i, %j] : tensor<?x9xf32>
      array.yield %x : f32
    } : tensor<?xf32>
    array.yield %row : tensor<?xf32>
  } : tensor<?x?xf32>
  %p = tensor.dim %a, %c0 : tensor<?x9xf32>
  %q = tensor.dim %r, %c1 : tensor<?x?xf32>
  %s = tensor.dim %a, %c1 : tensor<?x9xf32>
  return %p, %q, %s : index, index, index
}

// CHECK-LABEL: func @extent_becomes_number
// CHECK: array.map (%{{.*}}) in (%{{.*}}, 4)
// CHECK: } : tensor<?x4xf32>
// CHECK: tensor.cast
func.func @extent_becomes_number(%n: index, %x: f32) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %r = array.map (%i, %j) in (%n, %c4) {
    array.yield %x : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @unused_result
// CHECK: %{{.*}} = array.map
// CHECK-NOT: math.exp
// CHECK: } : tensor<?xf32>{{$}}
func.func @unused_result(%n: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %r:2 = array.map (%i) in (%n) {
    %x = array.at %a[%i] : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y, %x : f32, f32
  } : tensor<?xf32>, tensor<?xf32>
  return %r#1 : tensor<?xf32>
}

// CHECK-LABEL: func @copy_of_array
// CHECK-NOT: array.map
func.func @copy_of_array(%n: index, %a0: tensor<?xf32>) -> tensor<?xf32> {
  %a = array.bind %a0[%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %x = array.at %a[%i] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// One result of several; the loop then carries one array less.
// CHECK-LABEL: func @copy_of_carried
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<?xf32>)
// CHECK: %{{.*}} = array.map
func.func @copy_of_carried(%p0: tensor<?xf32>, %m0: tensor<?xf32>, %n: index, %s: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %s step %c1 iter_args(%p1 = %p0, %m1 = %m0) -> (tensor<?xf32>, tensor<?xf32>) {
    %p = array.bind %p1 [%n] : tensor<?xf32>
    %m = array.bind %m1 [%n] : tensor<?xf32>
    %q:2 = array.map (%i) in (%n) {
      %x = array.at %p[%i] : tensor<?xf32>
      %y = array.at %m[%i] : tensor<?xf32>
      %z = arith.addf %x, %y : f32
      array.yield %z, %y : f32, f32
    } : tensor<?xf32>, tensor<?xf32>
    scf.yield %q#0, %q#1 : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// What is said of its values as sizes counts wherever they do.
// CHECK-LABEL: func @no_copy_of_checked_sizes
// CHECK: %[[B:.*]] = array.map
// CHECK: array.check size
// CHECK: return %[[B]]
func.func @no_copy_of_checked_sizes(%n: index, %a0: tensor<?xi64>) -> tensor<?xi64> {
  %a = array.bind %a0 [%n] : tensor<?xi64>
  %zero = arith.constant 0 : i64
  %b = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xi64>
    %ok = arith.cmpi sge, %x, %zero : i64
    array.check size %ok, "a negative size: {0}"[%x : i64]
    array.yield %x : i64
  } : tensor<?xi64>
  return %b : tensor<?xi64>
}

// CHECK-LABEL: func @no_copy_of_front
// CHECK: array.map
func.func @no_copy_of_front(%n: index, %m: index, %a0: tensor<?xf32>) -> tensor<?xf32> {
  %a = array.bind %a0[%n] : tensor<?xf32>
  %r = array.map (%i) in (%m) {
    %x = array.at %a[%i] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @checks
// CHECK-NEXT: array.check assert %{{.*}}, "kept"
// CHECK-NEXT: return
func.func @checks(%ok: i1) {
  %true = arith.constant true
  array.check assert %true, "holds"
  array.check assert %ok, "kept"
  return
}

// CHECK-LABEL: func @dead
// CHECK-NEXT: return
func.func @dead(%a: tensor<?xf32>, %n: index, %z: f32) {
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %x = array.at %a[%i] : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf
  return
}

// -----

// A check in a loop of the host stays with the points of the map.
// CHECK-LABEL: func @no_check_before_map
// CHECK: scf.for
// CHECK:   array.map
// CHECK:     array.check size
func.func @no_check_before_map(%n: index, %m: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf32>) {
    %s = array.map (%i) in (%n) {
      %ok = arith.cmpi sgt, %m, %c0 : index
      array.check size %ok, "argmin of nothing"
      %x = array.at %b[%i] : tensor<?xf32>
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A check that is the same at all points stands before the map, and holds if
// there are none.
// CHECK-LABEL: func @check_before_map
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index,
// CHECK: %[[OK:.*]] = arith.cmpi sgt, %[[M]]
// CHECK: %[[NONE:.*]] = arith.cmpi sle, %[[N]]
// CHECK: %[[BOTH:.*]] = arith.ori %[[OK]], %[[NONE]]
// CHECK: array.check size %[[BOTH]], "argmin of nothing"
// CHECK: array.map
// CHECK-NOT: array.check
// CHECK: return
func.func @check_before_map(%n: index, %m: index, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = array.map (%i) in (%n) {
    %ok = arith.cmpi sgt, %m, %c0 : index
    array.check size %ok, "argmin of nothing"
    %x = array.at %a[%i] : tensor<?xf32>
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  return %s : tensor<?xf32>
}

// A read of an element that was assigned: what was assigned, though another has
// been assigned since. One that may be another is read.

// CHECK-LABEL: func.func @at_of_element
// CHECK-SAME: %[[V:[a-z0-9]+]]: f32, %{{[a-z0-9]+}}: f32)
// CHECK: %[[T:[0-9]+]] = array.at
// CHECK: return %[[V]], %[[T]]
func.func @at_of_element(%a: tensor<?xf32>, %i: index, %j: index, %v: f32, %w: f32) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
  %x = tensor.from_elements %v : tensor<f32>
  %b = tensor.insert_slice %x into %a[%i] [1] [1] : tensor<f32> into tensor<?xf32>
  %y = tensor.from_elements %w : tensor<f32>
  %c = tensor.insert_slice %y into %b[%next] [1] [1] : tensor<f32> into tensor<?xf32>
  %r = array.at %c[%i] inbounds : tensor<?xf32>
  %s = array.at %c[%j] inbounds : tensor<?xf32>
  return %r, %s : f32, f32
}

// -----

// What a branch alone keeps inside stays in it; so does what a view shows there.
// CHECK-LABEL: func @guarded_reads_of_views
// CHECK: array.at %{{.*}}[%{{.*}}] inbounds {array.guarded}
// CHECK: scf.if
// CHECK: array.at %{{.*}}[%{{.*}}, %{{.*}}] inbounds {array.guarded}
func.func @guarded_reads_of_views(%a: tensor<?xf32>, %b: tensor<?x3xf32>,
                                  %n: index, %k: index, %c: i1) -> f32 {
  %v = array.view %a (d0)[s0] -> (d0 + s0) [%k] in (%n)
    : tensor<?xf32> to tensor<?xf32>
  %x = array.at %v[%k] inbounds {array.guarded} : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> f32 {
    %row = array.view %b (d0)[s0] -> (s0, d0) [%k] in (3)
      : tensor<?x3xf32> to tensor<3xf32>
    %y = array.at %row[%c0] inbounds : tensor<3xf32>
    scf.yield %y : f32
  } else {
    scf.yield %x : f32
  }
  return %r : f32
}
