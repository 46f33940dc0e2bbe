// RUN: arr-opt %s --arr-find-boundaries --canonicalize --split-input-file | FileCheck %s

// The next and the one before on a ring: multiples of the size are left out.
// CHECK-DAG: #[[M0:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-DAG: #[[M1:.*]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-LABEL: @ring
func.func @ring(%a0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %a = array.bind %a0 [%n] : tensor<?xf32>
  // CHECK: array.map (%[[I:.*]] "i")
  %r = array.map (%i "i") in (%n) {
    %j = arith.addi %i, %c1 : index
    %k = arith.remsi %j, %n : index
    // CHECK: %[[J:.*]] = affine.apply #[[M0]](%[[I]])
    // CHECK: %[[E:.*]] = array.extend %{{.*}} [wrap]
    // CHECK: array.at %[[E]][%[[J]]] inbounds
    %x = array.at %a[%k] inbounds : tensor<?xf32>
    %s = arith.addi %i, %n : index
    %b = arith.subi %s, %c1 : index
    %l = arith.remsi %b, %n : index
    // CHECK: %[[B:.*]] = affine.apply #[[M1]](%[[I]])
    // CHECK: array.at %{{.*}}[%[[B]]] inbounds
    %y = array.at %a[%l] inbounds : tensor<?xf32>
    // CHECK-NOT: remsi
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// The remainder with the sign of the size, as `%` of the language has it.
// CHECK-LABEL: @floor
func.func @floor(%a0: tensor<?xf32>, %p0: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %less = arith.constant -1 : i64
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %size = arith.index_cast %n : index to i64
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %p = array.bind %p0 [%n] : tensor<?xi64>
  // CHECK: array.map (%[[I:.*]] "i")
  %r = array.map (%i "i") in (%n) {
    // CHECK: %[[P:.*]] = array.at %{{.*}}[%[[I]]] inbounds
    // CHECK: %[[K:.*]] = arith.index_cast %[[P]]
    // CHECK: %[[E:.*]] = array.extend %{{.*}} [wrap]
    // CHECK: array.at %[[E]][%[[K]]] inbounds
    %j = array.at %p[%i] inbounds : tensor<?xi64>
    %is = arith.cmpi eq, %size, %less : i64
    %by = arith.select %is, %one, %size : i64
    %rest = arith.remsi %j, %by : i64
    %signs = arith.xori %rest, %by : i64
    %differ = arith.cmpi slt, %signs, %zero : i64
    %some = arith.cmpi ne, %rest, %zero : i64
    %up = arith.addi %rest, %by : i64
    %both = arith.andi %differ, %some : i1
    %floor = arith.select %both, %up, %rest : i64
    %k = arith.index_cast %floor : i64 to index
    %x = array.at %a[%k] inbounds : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Numbers as sizes: 7 more of 8 is one less. What may overflow stays as it is:
// integers do, indices do not.
// CHECK-DAG: #[[M0:.*]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-DAG: #[[M1:.*]] = affine_map<(d0)[s0] -> (d0 - s0 + 1)>
// CHECK-DAG: #[[M2:.*]] = affine_map<(d0) -> (d0 * 3 + 3)>
// CHECK-LABEL: @eight
// CHECK-SAME: %[[T:[a-z0-9]*]]: i64)
func.func @eight(%a: tensor<8xf32>, %s: index, %t: i64) -> tensor<8xf32> {
  %nine = arith.constant 9 : i64
  %eight = arith.constant 8 : i64
  // CHECK: array.map (%[[I:.*]] "i")
  %r = array.map (%i "i") in (8) {
    // CHECK: affine.apply #[[M0]](%[[I]])
    %k = affine.apply affine_map<(d0) -> ((d0 + 7) mod 8)>(%i)
    // CHECK: array.extend %{{.*}} [wrap]
    %x = array.at %a[%k] inbounds : tensor<8xf32>
    // CHECK: affine.apply #[[M1]](%[[I]])
    %l = affine.apply affine_map<(d0)[s0] -> ((d0 - s0 + 9) mod 8)>(%i)[%s]
    // CHECK: array.extend %{{.*}} [wrap]
    %y = array.at %a[%l] inbounds : tensor<8xf32>
    // CHECK: affine.apply #[[M2]](%[[I]])
    %m = affine.apply affine_map<(d0) -> (d0 * 3 - ((d0 * 3 + 3) floordiv 8) * 8 + 3)>(%i)
    // CHECK: array.extend %{{.*}} [wrap]
    %z = array.at %a[%m] inbounds : tensor<8xf32>
    // CHECK: %[[SUM:.*]] = arith.addi %[[T]], %c9_i64
    // CHECK: %[[INDEX:.*]] = arith.index_cast %[[SUM]]
    // CHECK: %[[RING:.*]] = array.extend %{{.*}} [wrap]
    // CHECK: array.at %[[RING]][%[[INDEX]]]
    %sum = arith.addi %t, %nine : i64
    %rest = arith.remsi %sum, %eight : i64
    %o = arith.index_cast %rest : i64 to index
    %w = array.at %a[%o] inbounds : tensor<8xf32>
    %u = arith.addf %x, %y : f32
    %v = arith.addf %u, %z : f32
    %q = arith.addf %v, %w : f32
    array.yield %q : f32
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Bounds, in either order or one alone; what an array has in other dimensions stays.
// CHECK-DAG: #[[M0:.*]] = affine_map<(d0) -> (d0 - 1)>
// CHECK-DAG: #[[M1:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-LABEL: @held
func.func @held(%a0: tensor<?x?xf32>, %c: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a0, %c1 : tensor<?x?xf32>
  %a = array.bind %a0 [%n, %m] : tensor<?x?xf32>
  %e = array.extend %a [none, fill %c] : tensor<?x?xf32>
  // CHECK: array.map (%[[I:.*]] "i", %[[J:.*]] "j")
  %r = array.map (%i "i", %j "j") in (%n, %m) {
    %b = arith.subi %i, %c1 : index
    %k = arith.maxsi %b, %c0 : index
    // CHECK: %[[B:.*]] = affine.apply #[[M0]](%[[I]])
    // CHECK: %[[E:.*]] = array.extend %{{.*}} [clamp, fill %{{.*}}]
    // CHECK: array.at %[[E]][%[[B]], %[[J]]] inbounds
    %x = array.at %e[%k, %j] inbounds : tensor<?x?xf32>
    %last = arith.subi %m, %c1 : index
    %f = arith.addi %j, %c1 : index
    %g = arith.maxsi %f, %c0 : index
    %l = arith.minsi %last, %g : index
    // CHECK: %[[F:.*]] = affine.apply #[[M1]](%[[J]])
    // CHECK: %[[G:.*]] = array.extend %{{.*}} [none, clamp]
    // CHECK: array.at %[[G]][%[[I]], %[[F]]] inbounds
    %y = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Not: another size; a read that may be outside, as of an array of no elements.
// CHECK-LABEL: @others
// CHECK-NOT: extend
// CHECK: return
func.func @others(%a0: tensor<?xf32>, %m: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %r = array.map (%i "i") in (%m) {
    %k = arith.remsi %i, %m : index
    %x = array.at %a[%k] inbounds : tensor<?xf32>
    %l = arith.remsi %i, %n : index
    %y = array.at %a[%l] : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
