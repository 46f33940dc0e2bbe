// RUN: arr-opt %s --arr-fuse-producers=work-per-byte=8 | FileCheck %s
// RUN: arr-opt %s --arr-fuse-producers | FileCheck %s --check-prefix=PLAIN

// What a stencil of a stencil computes again, three reads and three additions
// for each of two more neighbours, costs less than 8 bytes of memory.
// CHECK-LABEL: @stencil_of_stencil
// CHECK: array.map
// CHECK-NOT: array.map
// CHECK: return
// PLAIN-LABEL: @stencil_of_stencil
// PLAIN-COUNT-2: array.map
func.func @stencil_of_stencil(%a: tensor<16xf32>) -> tensor<12xf32> {
  %s = array.map (%i) in (14) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %a[%i] inbounds : tensor<16xf32>
    %y = array.at %a[%j] inbounds : tensor<16xf32>
    %z = array.at %a[%k] inbounds : tensor<16xf32>
    %u = arith.addf %x, %y : f32
    %v = arith.addf %u, %z : f32
    array.yield %v : f32
  } : tensor<14xf32>
  %t = array.map (%i) in (12) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %s[%i] inbounds : tensor<14xf32>
    %y = array.at %s[%j] inbounds : tensor<14xf32>
    %z = array.at %s[%k] inbounds : tensor<14xf32>
    %u = arith.addf %x, %y : f32
    %v = arith.addf %u, %z : f32
    array.yield %v : f32
  } : tensor<12xf32>
  return %t : tensor<12xf32>
}

// Nine exponentials for three take longer than memory.
// CHECK-LABEL: @no_exponentials
// CHECK-COUNT-2: array.map
func.func @no_exponentials(%a: tensor<16xf64>) -> tensor<12xf64> {
  %s = array.map (%i) in (14) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %a[%i] inbounds : tensor<16xf64>
    %y = array.at %a[%j] inbounds : tensor<16xf64>
    %z = array.at %a[%k] inbounds : tensor<16xf64>
    %e = math.exp %x : f64
    %f = math.exp %y : f64
    %g = math.exp %z : f64
    %u = arith.addf %e, %f : f64
    %v = arith.addf %u, %g : f64
    array.yield %v : f64
  } : tensor<14xf64>
  %t = array.map (%i) in (12) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %s[%i] inbounds : tensor<14xf64>
    %y = array.at %s[%j] inbounds : tensor<14xf64>
    %z = array.at %s[%k] inbounds : tensor<14xf64>
    %u = arith.addf %x, %y : f64
    %v = arith.addf %u, %z : f64
    array.yield %v : f64
  } : tensor<12xf64>
  return %t : tensor<12xf64>
}

// The second map waits for the first: they are two kernels, each of which would
// compute all of what they share.
// CHECK-LABEL: @no_dependent_readers
// CHECK-COUNT-3: array.map
func.func @no_dependent_readers(%a: tensor<16xf32>) -> (tensor<14xf32>, tensor<12xf32>) {
  %s = array.map (%i) in (14) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %a[%i] inbounds : tensor<16xf32>
    %y = array.at %a[%j] inbounds : tensor<16xf32>
    %z = array.at %a[%k] inbounds : tensor<16xf32>
    %u = arith.addf %x, %y : f32
    %v = arith.addf %u, %z : f32
    array.yield %v : f32
  } : tensor<14xf32>
  %t = array.map (%i) in (14) {
    %x = array.at %s[%i] inbounds : tensor<14xf32>
    %y = math.sqrt %x : f32
    array.yield %y : f32
  } : tensor<14xf32>
  %r = array.map (%i) in (12) {
    %j = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %t[%j] inbounds : tensor<14xf32>
    %y = array.at %s[%i] inbounds : tensor<14xf32>
    %u = arith.addf %x, %y : f32
    array.yield %u : f32
  } : tensor<12xf32>
  return %t, %r : tensor<14xf32>, tensor<12xf32>
}

// A fold that reads neighbours of a number of places that is not known repeats
// what it reads.
// CHECK-LABEL: @no_window_of_unknown_length
// CHECK: array.map
// CHECK: array.map
func.func @no_window_of_unknown_length(%a: tensor<?xf32>, %n: index, %w: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %s = array.map (%i) in (%n) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = array.at %a[%j] inbounds : tensor<?xf32>
    %z = array.at %a[%k] inbounds : tensor<?xf32>
    %u = arith.addf %x, %y : f32
    %v = arith.addf %u, %z : f32
    array.yield %v : f32
  } : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %r = array.reduce (%k) in (%w) init (%zero : f32) {
      %j = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %k)
      %x = array.at %s[%j] inbounds : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %r : f32
  } : tensor<?xf32>
  return %t : tensor<?xf32>
}

// Five points of which each reads five read thirteen elements, not 25: four more
// points are 20 additions and eight reads.
// CHECK-LABEL: @shared_neighbours
// CHECK: array.map
// CHECK-NOT: array.map
// CHECK: return
// PLAIN-LABEL: @shared_neighbours
// PLAIN-COUNT-2: array.map
func.func @shared_neighbours(%a: tensor<16x16xf32>) -> tensor<12x12xf32> {
  %s = array.map (%i, %j) in (14, 14) {
    %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %i2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %j1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
    %j2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
    %c = array.at %a[%i1, %j1] inbounds : tensor<16x16xf32>
    %n = array.at %a[%i, %j1] inbounds : tensor<16x16xf32>
    %z = array.at %a[%i2, %j1] inbounds : tensor<16x16xf32>
    %w = array.at %a[%i1, %j] inbounds : tensor<16x16xf32>
    %e = array.at %a[%i1, %j2] inbounds : tensor<16x16xf32>
    %0 = arith.addf %c, %n : f32
    %1 = arith.addf %0, %z : f32
    %2 = arith.addf %1, %w : f32
    %3 = arith.addf %2, %e : f32
    array.yield %3 : f32
  } : tensor<14x14xf32>
  %t = array.map (%i, %j) in (12, 12) {
    %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %i2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %j1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
    %j2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%j)
    %c = array.at %s[%i1, %j1] inbounds : tensor<14x14xf32>
    %n = array.at %s[%i, %j1] inbounds : tensor<14x14xf32>
    %z = array.at %s[%i2, %j1] inbounds : tensor<14x14xf32>
    %w = array.at %s[%i1, %j] inbounds : tensor<14x14xf32>
    %e = array.at %s[%i1, %j2] inbounds : tensor<14x14xf32>
    %0 = arith.addf %c, %n : f32
    %1 = arith.addf %0, %z : f32
    %2 = arith.addf %1, %w : f32
    %3 = arith.addf %2, %e : f32
    array.yield %3 : f32
  } : tensor<12x12xf32>
  return %t : tensor<12x12xf32>
}

// What is returned is made in any case, and computed again for a neighbour: both
// maps read %a and %b, and are one kernel. The element at its own index is read.
// CHECK-LABEL: @kept_for_a_neighbour
// CHECK: %[[S:.*]] = array.map
// CHECK: array.map (%[[I:.*]]) in
// CHECK-DAG: array.at %[[S]][%[[I]]] inbounds
// CHECK-DAG: %[[NEXT:.*]] = arith.minsi
// CHECK-DAG: array.at %{{arg0|a}}[%[[NEXT]]] inbounds
// CHECK-NOT: array.at %[[S]]
// CHECK: return
// PLAIN-LABEL: @kept_for_a_neighbour
// PLAIN: %[[S:.*]] = array.map
// PLAIN-COUNT-2: array.at %[[S]]
func.func @kept_for_a_neighbour(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %s = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = array.at %b[%i] inbounds : tensor<?xf32>
    %u = arith.mulf %x, %y : f32
    array.yield %u : f32
  } : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %j = arith.minsi %i1, %last : index
    %x = array.at %s[%i] inbounds : tensor<?xf32>
    %y = array.at %s[%j] inbounds : tensor<?xf32>
    %z = array.at %b[%i] inbounds : tensor<?xf32>
    %u = arith.addf %x, %y : f32
    %v = arith.addf %u, %z : f32
    array.yield %v : f32
  } : tensor<?xf32>
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}

// A fold of the array waits for all of it, so the maps are no one kernel.
// CHECK-LABEL: @no_fold_between
// CHECK: %[[S:.*]] = array.map
// CHECK: array.map
// CHECK-COUNT-2: array.at %[[S]]
func.func @no_fold_between(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> (f32, tensor<?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %last = arith.subi %n, %c1 : index
  %s = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = array.at %b[%i] inbounds : tensor<?xf32>
    %u = arith.mulf %x, %y : f32
    array.yield %u : f32
  } : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %j = arith.minsi %i1, %last : index
    %x = array.at %s[%i] inbounds : tensor<?xf32>
    %y = array.at %s[%j] inbounds : tensor<?xf32>
    %u = arith.addf %x, %y : f32
    array.yield %u : f32
  } : tensor<?xf32>
  %r = array.reduce (%i) in (%n) init (%zero : f32) {
    %x = array.at %s[%i] inbounds : tensor<?xf32>
    %y = array.at %t[%i] inbounds : tensor<?xf32>
    %u = arith.mulf %x, %y : f32
    array.yield %u : f32
  } by arith.addf
  return %r, %s, %t : f32, tensor<?xf32>, tensor<?xf32>
}

// Its reader is no map over the same points.
// CHECK-LABEL: @no_other_points
// CHECK: %[[S:.*]] = array.map
// CHECK: array.map
// CHECK-COUNT-2: array.at %[[S]]
func.func @no_other_points(%a: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %s = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %u = arith.mulf %x, %x : f32
    array.yield %u : f32
  } : tensor<?xf32>
  %t = array.map (%i) in (%m) {
    %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = array.at %s[%i] inbounds : tensor<?xf32>
    %y = array.at %s[%i1] inbounds : tensor<?xf32>
    %u = arith.addf %x, %y : f32
    array.yield %u : f32
  } : tensor<?xf32>
  return %s, %t : tensor<?xf32>, tensor<?xf32>
}
