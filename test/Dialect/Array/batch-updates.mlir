// Histograms of the points of a map are one, with the points among its bins.
// RUN: arr-opt %s --arr-batch-updates --canonicalize | FileCheck %s

// What the body computes of its point goes along.
// CHECK-LABEL: @columns
// CHECK: %[[ROWS:.*]] = array.map (%{{.*}} "j") in (%[[D:.*]]) {
// CHECK: %[[H:.*]] = array.scatter (%[[J:.*]] "j", %[[I:.*]] "i") in (%[[D]], %[[N:.*]]) into (%[[ROWS]] : tensor<?x16xf32>) {
// CHECK-DAG: %[[S:.*]] = array.at %{{.*}}[%[[J]]] inbounds
// CHECK-DAG: %[[K:.*]] = arith.index_cast
// CHECK: %[[V:.*]] = arith.mulf %{{.*}}, %[[S]]
// CHECK: array.yield %[[V]] : f32 at [%[[J]], %[[K]]]
// CHECK: } by arith.addf oob drop
// CHECK: return %[[H]]
func.func @columns(%x: tensor<?x?xf32>, %t: tensor<?xi32>, %s: tensor<?xf32>, %n: index, %d: index) -> tensor<?x16xf32> {
  %r = array.map (%j "j") in (%d) {
    %z = arith.constant 0.0 : f32
    %h0 = tensor.splat %z : tensor<16xf32>
    %f = array.at %s[%j] inbounds : tensor<?xf32>
    %h = array.scatter (%i "i") in (%n) into (%h0 : tensor<16xf32>) {
      %b = array.at %t[%i] inbounds : tensor<?xi32>
      %k = arith.index_cast %b : i32 to index
      %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
      %w = arith.mulf %v, %f : f32
      array.yield %w : f32 at [%k]
    } by arith.addf oob drop
    array.yield %h : tensor<16xf32>
  } : tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// A body that goes on with its histogram reads it where it lies.
// CHECK-LABEL: @largest
// CHECK: %[[H:.*]] = array.scatter (%{{.*}} "j", %{{.*}} "i")
// CHECK: array.map (%[[J:.*]] "j")
// CHECK:   array.reduce (%[[B:.*]] "b") in (16)
// CHECK:     array.at %[[H]][%[[J]], %[[B]]]
func.func @largest(%t: tensor<?xi32>, %n: index, %d: index) -> tensor<?xi64> {
  %r = array.map (%j "j") in (%d) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %h0 = tensor.splat %z : tensor<16xi64>
    %h = array.scatter (%i "i") in (%n) into (%h0 : tensor<16xi64>) {
      %b = array.at %t[%i] inbounds : tensor<?xi32>
      %k = arith.index_cast %b : i32 to index
      array.yield %one : i64 at [%k]
    } by arith.addi
    %m = array.reduce (%b "b") in (16) init(%z : i64) {
      %e = array.at %h[%b] inbounds : tensor<16xi64>
      array.yield %e : i64
    } by arith.maxsi
    array.yield %m : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// A few values of a point stay with its thread; ranges that differ from point to
// point have no space in common.
// CHECK-LABEL: @others
// CHECK-COUNT-2: array.scatter (%{{.*}} "i")
func.func @others(%t: tensor<?xi32>, %o: tensor<?xindex>, %n: index, %d: index) -> (tensor<?x16xi64>, tensor<?x16xi64>) {
  %r:2 = array.map (%j "j") in (%d) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %h0 = tensor.splat %z : tensor<16xi64>
    %h = array.scatter (%i "i") in (25) into (%h0 : tensor<16xi64>) {
      %b = array.at %t[%i] inbounds : tensor<?xi32>
      %k = arith.index_cast %b : i32 to index
      array.yield %one : i64 at [%k]
    } by arith.addi
    %m = array.at %o[%j] inbounds : tensor<?xindex>
    %g = array.scatter (%i "i") in (%m) into (%h0 : tensor<16xi64>) {
      %b = array.at %t[%i] inbounds : tensor<?xi32>
      %k = arith.index_cast %b : i32 to index
      array.yield %one : i64 at [%k]
    } by arith.addi
    array.yield %h, %g : tensor<16xi64>, tensor<16xi64>
  } : tensor<?x16xi64>, tensor<?x16xi64>
  return %r#0, %r#1 : tensor<?x16xi64>, tensor<?x16xi64>
}
