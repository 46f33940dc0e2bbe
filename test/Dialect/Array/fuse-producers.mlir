// RUN: arr-opt %s --arr-fuse-producers --cse --canonicalize | FileCheck %s
// RUN: arr-opt %s --arr-fuse-producers --remark-format=emitRemark --remarks-filter=fuse-producers -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The array is the result, and the norm reads it: computing it twice would not
// save the array. (The kernels are fused instead.)
// CHECK-LABEL: func @no_fuse_needed_anyway
// CHECK: array.stencil
// CHECK: array.reduce
// REMARK: [Missed] FuseProducer
// REMARK-SAME: the array is needed anyway
func.func @no_fuse_needed_anyway(%t0: tensor<?xf32>, %n: index, %ninf: f32) -> (tensor<?xf32>, f32) {
  %t = array.bind %t0 [%n] : tensor<?xf32>
  %u = array.extend %t [clamp] : tensor<?xf32>
  %next = array.stencil (%i) in (%n) reach [-1 to 1] {
    %l = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %h = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = array.at %u[%l] inbounds : tensor<?xf32>
    %y = array.at %u[%h] inbounds : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  %e = array.reduce (%i) in (%n) init (%ninf : f32) {
    %x = array.at %next[%i] inbounds : tensor<?xf32>
    %y = array.at %t[%i] inbounds : tensor<?xf32>
    %z = arith.subf %x, %y : f32
    array.yield %z : f32
  } by arith.maximumf
  return %next, %e : tensor<?xf32>, f32
}

// CHECK-LABEL: func @no_fuse_fence
// CHECK: array.map
// CHECK: array.fence
// CHECK: array.map
func.func @no_fuse_fence(%n: index, %x: f32) -> tensor<?xf32> {
  %t = array.map (%i) in (%n) {
    array.yield %x : f32
  } : tensor<?xf32>
  %f = array.fence %t : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %v = array.at %f[%i] inbounds : tensor<?xf32>
    %w = arith.addf %v, %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_fuse_exp_twice
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// REMARK: [Missed] FuseProducer
// REMARK-SAME: 17 operations and 1 read would be repeated at each of 2 reads
func.func @no_fuse_exp_twice(%x0: tensor<?x?xf32>, %n: index, %m: index, %z: f32, %mx: f32) -> tensor<?x?xf32> {
  %x = array.bind %x0 [%n, %m] : tensor<?x?xf32>
  %y = array.map (%i) in (%n) {
    %e = array.map (%j) in (%m) {
      %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
      %d = arith.subf %v, %mx : f32
      %q = math.exp %d : f32
      array.yield %q : f32
    } : tensor<?xf32>
    %s = array.reduce (%j) in (%m) init (%z : f32) {
      %q = array.at %e[%j] inbounds : tensor<?xf32>
      array.yield %q : f32
    } by arith.addf
    %r = array.map (%j) in (%m) {
      %q = array.at %e[%j] inbounds : tensor<?xf32>
      %o = arith.divf %q, %s : f32
      array.yield %o : f32
    } : tensor<?xf32>
    array.yield %r : tensor<?xf32>
  } : tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_fuse_reduction_into_wider_space
// CHECK: array.map
// CHECK: array.reduce
// CHECK: array.map
// REMARK: [Missed] FuseProducer
// REMARK-SAME: its reduction would be repeated
func.func @no_fuse_reduction_into_wider_space(%a0: tensor<?x?xf32>, %n: index, %m: index, %z: f32) -> tensor<?x?xf32> {
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %s = array.map (%i) in (%n) {
    %t = array.reduce (%j) in (%m) init (%z : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %t : f32
  } : tensor<?xf32>
  %r = array.map (%i, %j) in (%n, %m) {
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    %y = array.at %s[%i] inbounds : tensor<?xf32>
    %v = arith.divf %x, %y : f32
    array.yield %v : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_fuse_unproved_read
// CHECK-COUNT-2: array.map
// REMARK: [Missed] FuseProducer
// REMARK-SAME: a read of it may be out of bounds{{.*}}Suggestion="say in a 'where' what keeps the index inside, or clamp it"
func.func @no_fuse_unproved_read(%n: index, %m: index, %z: f32) -> tensor<?xf32> {
  %t = array.map (%i) in (%n) {
    %y = math.exp %z : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%m) {
    %x = array.at %t[%i] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_fuse_assert
// CHECK-COUNT-2: array.map
// REMARK: [Missed] FuseProducer
// REMARK-SAME: an assert must run for every element{{.*}}Suggestion="assert before the 'for', or where the array is read"
func.func @no_fuse_assert(%a0: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %ok = arith.cmpf ogt, %x, %z : f32
    array.check assert %ok, "positive"
    array.yield %x : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %x = array.at %t[%i] inbounds : tensor<?xf32>
    %y = math.sqrt %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_fuse_into_time_loop
// CHECK: array.map
// CHECK: math.exp
// CHECK: scf.for
// REMARK: [Missed] FuseProducer
// REMARK-SAME: it would be computed again in every step of a loop
func.func @no_fuse_into_time_loop(%a0: tensor<?xf32>, %n: index, %s: index, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = scf.for %k = %c0 to %s step %c1 iter_args(%o = %z) -> f32 {
    %q = array.reduce (%i) in (%n) init (%z : f32) {
      %x = array.at %t[%i] inbounds : tensor<?xf32>
      %y = arith.mulf %x, %o : f32
      array.yield %y : f32
    } by arith.addf
    scf.yield %q : f32
  }
  return %r : f32
}

// Repeated by a loop, a division is dearer than a read.
// CHECK-LABEL: func @no_fuse_division_into_product
// CHECK: array.map
// CHECK: arith.divf
// CHECK: array.map
// REMARK: [Missed] FuseProducer
// REMARK-SAME: 8 operations and 1 read would be repeated by a loop around its read
func.func @no_fuse_division_into_product(%a0: tensor<?x?xf32>, %n: index, %s: f32, %z: f32) -> tensor<?x?xf32> {
  %a = array.bind %a0 [%n, %n] : tensor<?x?xf32>
  %t = array.map (%i, %j) in (%n, %n) {
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    %y = arith.divf %x, %s : f32
    array.yield %y : f32
  } : tensor<?x?xf32>
  %r = array.map (%i, %j) in (%n, %n) {
    %q = array.reduce (%k) in (%n) init (%z : f32) {
      %x = array.at %t[%i, %k] inbounds : tensor<?x?xf32>
      %y = array.at %a[%k, %j] inbounds : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      array.yield %p : f32
    } by arith.addf
    array.yield %q : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// `let t = a * x + y`, result `exp(t) * t`: one map.
// CHECK-LABEL: func @saxpy_chain
// CHECK: array.map
// CHECK-NEXT: array.at
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: array.at
// CHECK-NEXT: arith.addf
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: array.yield
// CHECK-NOT: array.map
// REMARK: [Passed] FuseProducer
// REMARK-SAME: computed where it is read, 1 time
func.func @saxpy_chain(%x0: tensor<?xf32>, %y0: tensor<?xf32>, %a: f32, %n: index) -> tensor<?xf32> {
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %y = array.bind %y0 [%n] : tensor<?xf32>
  %p = array.map (%i) in (%n) {
    %u = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.mulf %a, %u : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %u = array.at %p[%i] inbounds : tensor<?xf32>
    %v = array.at %y[%i] inbounds : tensor<?xf32>
    %w = arith.addf %u, %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %e = array.map (%i) in (%n) {
    %u = array.at %t[%i] inbounds : tensor<?xf32>
    %w = math.exp %u : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %u = array.at %e[%i] inbounds : tensor<?xf32>
    %v = array.at %t[%i] inbounds : tensor<?xf32>
    %w = arith.mulf %u, %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// `sum(a * b)`.
// CHECK-LABEL: func @map_into_reduce
// CHECK-NOT: array.map
// CHECK: array.reduce
// CHECK: arith.mulf
func.func @map_into_reduce(%a0: tensor<?xf32>, %b0: tensor<?xf32>, %n: index, %z: f32) -> f32 {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %b = array.bind %b0 [%n] : tensor<?xf32>
  %p = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = array.at %b[%i] inbounds : tensor<?xf32>
    %w = arith.mulf %x, %y : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %x = array.at %p[%i] inbounds : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf
  return %s : f32
}

// An n-body step: the sum of each body is computed where its result is used;
// three components are one place.
// CHECK-LABEL: func @sum_into_update
// CHECK: array.map
// CHECK-COUNT-1: array.reduce
// CHECK-NOT: array.reduce
// CHECK: tensor.from_elements
func.func @sum_into_update(%p0: tensor<?x2xf32>, %n: index, %z: f32) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = array.bind %p0 [%n, 2] : tensor<?x2xf32>
  %acc = array.map (%i) in (%n) {
    %s:2 = array.reduce (%j) in (%n) init (%z, %z : f32, f32) {
      %x = array.at %p[%j, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %p[%j, %c1] inbounds : tensor<?x2xf32>
      array.yield %x, %y : f32, f32
    } by arith.addf
    %v = tensor.from_elements %s#0, %s#1 : tensor<2xf32>
    array.yield %v : tensor<2xf32>
  } : tensor<?x2xf32>
  %r = array.map (%i) in (%n) {
    %x = array.at %acc[%i, %c0] inbounds : tensor<?x2xf32>
    %y = array.at %acc[%i, %c1] inbounds : tensor<?x2xf32>
    %u = arith.addf %x, %y : f32
    %v = tensor.from_elements %u, %y : tensor<2xf32>
    array.yield %v : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// A cheap body in a stencil: what the producer reads is extended instead.
// CHECK-LABEL: func @through_extend
// CHECK: array.extend %{{.*}} [wrap]
// CHECK: array.stencil
// CHECK: array.at %{{.*}} inbounds
// CHECK: arith.mulf
// CHECK: array.at %{{.*}} inbounds
// CHECK: arith.mulf
// CHECK-NOT: array.map
func.func @through_extend(%a0: tensor<?xf32>, %n: index, %c: f32) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = arith.mulf %x, %c : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %u = array.extend %t [wrap] : tensor<?xf32>
  %r = array.stencil (%i) in (%n) reach [-1 to 1] {
    %l = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %h = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = array.at %u[%l] inbounds : tensor<?xf32>
    %y = array.at %u[%h] inbounds : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A body that uses its index: the index is resolved first.
// CHECK-LABEL: func @through_extend_by_index
// CHECK: array.map
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK-NOT: array.extend
func.func @through_extend_by_index(%n: index) -> tensor<?xindex> {
  %t = array.map (%i) in (%n) {
    array.yield %i : index
  } : tensor<?xindex>
  %u = array.extend %t [clamp] : tensor<?xindex>
  %r = array.map (%i) in (%n) {
    %l = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %x = array.at %u[%l] inbounds : tensor<?xindex>
    array.yield %x : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

// `for i { for j { .. } }` is `for i, j { .. }`, read transposed.
// CHECK-LABEL: func @nested_maps
// CHECK: array.map (%[[I:.*]] "p", %[[J:.*]] "q") in
// CHECK-NEXT: array.at %{{.*}}[%[[J]], %[[I]]] inbounds
// CHECK-NEXT: arith.negf
// CHECK-NEXT: math.exp
// CHECK-NEXT: array.yield
func.func @nested_maps(%a0: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %t = array.map (%i "i") in (%n) {
    %row = array.map (%j "j") in (%m) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      %y = arith.negf %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    array.yield %row : tensor<?xf32>
  } : tensor<?x?xf32>
  %r = array.map (%p "p", %q "q") in (%m, %n) {
    %x = array.at %t[%q, %p] inbounds : tensor<?x?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A reshape moves in front of an elementwise map, and the map to its reader.
// CHECK-LABEL: @reshape
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape
// CHECK: %[[BOUND:.*]] = array.bind %[[FLAT]]
// CHECK: array.map (%[[I:.*]]) in (%{{.*}}) {
// CHECK:   array.at %[[BOUND]][%[[I]]] inbounds : tensor<?xf32>
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf
// CHECK-NOT: array.map
func.func @reshape(%a0: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %e = array.map (%i, %j) in (%n, %m) {
    %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?x?xf32>
  %flat = tensor.collapse_shape %e [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %nm = arith.muli %n, %m : index
  %f = array.bind %flat [%nm] : tensor<?xf32>
  %r = array.map (%k) in (%nm) {
    %x = array.at %f[%k] inbounds : tensor<?xf32>
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A map that reads its neighbours depends on the shape.
// CHECK-LABEL: @no_reshape_of_neighbours
// CHECK: array.map
// CHECK: tensor.collapse_shape
func.func @no_reshape_of_neighbours(%a: tensor<4x4xf32>) -> tensor<16xf32> {
  %e = array.map (%i, %j) in (4, 4) {
    %x = array.at %a[%j, %i] inbounds : tensor<4x4xf32>
    array.yield %x : f32
  } : tensor<4x4xf32>
  %flat = tensor.collapse_shape %e [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return %flat : tensor<16xf32>
}

// Each element is read at one of the places: nothing is computed twice.
// CHECK-LABEL: @disjoint_places
// CHECK-COUNT-2: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @disjoint_places(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %nn = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%n]
  %a = array.bind %a0 [%nn] : tensor<?xf32>
  %e = array.map (%i) in (%nn) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %k = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %l = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
    %x = array.at %e[%k] inbounds : tensor<?xf32>
    %y = array.at %e[%l] inbounds : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// The second half begins where the first ends.
// CHECK-LABEL: @disjoint_ranges
// CHECK-COUNT-2: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @disjoint_ranges(%a0: tensor<?xf32>, %size: index) -> tensor<?xf32> {
  %n = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%size]
  %a = array.bind %a0 [%size] : tensor<?xf32>
  %e = array.map (%i) in (%size) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0 floordiv 2)>(%i)[%size]
    %x = array.at %e[%i] inbounds : tensor<?xf32>
    %y = array.at %e[%k] inbounds : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Windows that do not overlap, by one read: two indices decide one subscript.
// CHECK-LABEL: @windows
// CHECK: array.reduce
// CHECK: math.exp
// CHECK-LABEL: @overlapping_windows
// CHECK: math.exp
// CHECK: array.map
// CHECK: array.reduce
func.func @windows(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %nn = affine.apply affine_map<()[s0] -> (s0 * 100)>()[%n]
  %a = array.bind %a0 [%nn] : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %e = array.map (%i) in (%nn) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%p) in (100) init (%zero : f32) {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 100 + d1)>(%i, %p)
      %x = array.at %e[%k] inbounds : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @overlapping_windows(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %nn = affine.apply affine_map<()[s0] -> (s0 * 99 + 1)>()[%n]
  %a = array.bind %a0 [%nn] : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %e = array.map (%i) in (%nn) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%p) in (100) init (%zero : f32) {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 99 + d1)>(%i, %p)
      %x = array.at %e[%k] inbounds : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// As many places as elements read it, at most of them the own one: nothing is
// computed more often than before.
// CHECK-LABEL: @chosen_place
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @chosen_place(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = array.map (%i) in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %p = array.at %x[%c0] inbounds : tensor<?xf32>
    %q = array.at %x[%c1] inbounds : tensor<?xf32>
    %s = arith.addf %v, %p : f32
    %t = arith.addf %s, %q : f32
    %w = math.exp %t : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %is = arith.cmpi eq, %i, %c0 : index
    %k = arith.select %is, %c1, %i : index
    %v = array.at %a[%k] inbounds : tensor<?xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// More places than elements: a small table stays one.
// CHECK-LABEL: @no_table
// CHECK: array.map
// CHECK: math.exp
// CHECK: array.map
func.func @no_table(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %a = array.map (%i) in (3) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = math.exp %v : f32
    array.yield %w : f32
  } : tensor<3xf32>
  %r = array.map (%i) in (%n) {
    %is = arith.cmpi sgt, %i, %c2 : index
    %k = arith.select %is, %c2, %i : index
    %v = array.at %a[%k] inbounds : tensor<3xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
