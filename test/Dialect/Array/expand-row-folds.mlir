// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(arr-expand-row-folds),canonicalize)' | FileCheck %s

// Accumulators that scalars can stand for stay.
// CHECK-LABEL: @no_expansion_of_small_rows
// CHECK: array.reduce {{.*}} in (%{{.*}}) init (%{{.*}} : tensor<4xf32>)
func.func @no_expansion_of_small_rows(%a: tensor<?x4xf32>, %n: index, %z: tensor<4xf32>) -> tensor<4xf32> {
  %r = array.reduce (%i) in (%n) init (%z : tensor<4xf32>) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (4) : tensor<?x4xf32> to tensor<4xf32>
    array.yield %row : tensor<4xf32>
  } by arith.addf
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @histogram
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?xi64>, %[[N:.*]]: index, %[[M:.*]]: index
func.func @histogram(%a: tensor<?x?xf32>, %b: tensor<?xi64>, %n: index, %m: index, %z: f32) -> tensor<4x?xf32> {
  // CHECK: %[[ROWS:.*]] = array.map (%{{.*}}, %{{.*}}) in (%[[N]], %[[M]])
  // CHECK: %[[BINS:.*]] = array.map (%{{.*}}) in (%[[N]])
  // CHECK: array.scatter (%[[I:.*]] "d0", %[[E:.*]] "e0") in (%[[N]], %[[M]]) into
  // CHECK-DAG: %[[X:.*]] = array.at %[[ROWS]][%[[I]], %[[E]]] inbounds
  // CHECK-DAG: %[[K:.*]] = array.at %[[BINS]][%[[I]]] inbounds
  // CHECK-DAG: %[[AT:.*]] = arith.index_cast %[[K]]
  // CHECK: array.yield %[[X]] : f32 at [%[[AT]], %[[E]]]
  // CHECK: by arith.addf
  %h0 = tensor.splat %z[%m] : tensor<4x?xf32>
  %h = array.scatter (%i) in (%n) into (%h0 : tensor<4x?xf32>) {
    %k = array.at %b[%i] : tensor<?xi64>
    %at = arith.index_cast %k : i64 to index
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    array.yield %row : tensor<?xf32> at [%at]
  } by arith.addf
  return %h : tensor<4x?xf32>
}

// The count goes along with each element of the rows.
// CHECK-LABEL: @with_a_scalar
// CHECK: %[[COUNT:.*]] = array.reduce {{.*}} init (%{{.*}} : f32)
// CHECK: %[[MEAN:.*]] = array.map
// CHECK: array.reduce {{.*}} init (%{{.*}}, %{{.*}} : f32, f32)
// CHECK: by (%[[P:.*]]: f32, %[[X:.*]]: f32, %[[Q:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-DAG: %[[S:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-DAG: %[[C:.*]] = arith.addf %[[P]], %[[Q]]
// CHECK-DAG: %[[D:.*]] = arith.divf %[[S]], %[[C]]
// CHECK: array.yield %[[C]], %[[D]]
func.func @with_a_scalar(%a: tensor<?x?xf32>, %n: index, %m: index, %z: f32) -> (f32, tensor<?xf32>) {
  %z0 = tensor.splat %z[%m] : tensor<?xf32>
  %r:2 = array.reduce (%i) in (%n) init (%z, %z0 : f32, tensor<?xf32>) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    array.yield %z, %row : f32, tensor<?xf32>
  } by (%p: f32, %x: tensor<?xf32>, %q: f32, %y: tensor<?xf32>) {
    %c = arith.addf %p, %q : f32
    %s = arith.addf %x, %y : tensor<?xf32>
    %d = array.map (%j) in (%m) {
      %e = array.at %s[%j] inbounds : tensor<?xf32>
      %f = arith.divf %e, %c : f32
      array.yield %f : f32
    } : tensor<?xf32>
    array.yield %c, %d : f32, tensor<?xf32>
  }
  return %r#0, %r#1 : f32, tensor<?xf32>
}

// An element that needs another one: whole rows, in order.
// CHECK-LABEL: @whole_rows
// CHECK-NOT: array.reduce
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<?xf32>)
// CHECK: array.map
func.func @whole_rows(%a: tensor<?x?xf32>, %n: index, %m: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z0 = tensor.splat %z[%m] : tensor<?xf32>
  %r = array.reduce (%i) in (%n) init (%z0 : tensor<?xf32>) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    array.yield %row : tensor<?xf32>
  } by (%x: tensor<?xf32>, %y: tensor<?xf32>) {
    %d = array.map (%j) in (%m) {
      %e = array.at %x[%j] inbounds : tensor<?xf32>
      %f = array.at %y[%c0] : tensor<?xf32>
      %g = arith.addf %e, %f : f32
      array.yield %g : f32
    } : tensor<?xf32>
    array.yield %d : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @scan
// CHECK: %[[S:.*]]:2 = array.map (%{{.*}}) in (%{{.*}}) {
// CHECK: array.scan
// CHECK: array.view %[[S]]#0 (d0, d1) -> (d1, d0)
func.func @scan(%a: tensor<?x?xf32>, %n: index, %m: index, %z: f32) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %z0 = tensor.splat %z[%m] : tensor<?xf32>
  %s, %t = array.scan (%i) in (%n) init (%z0 : tensor<?xf32>) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    array.yield %row : tensor<?xf32>
  } by arith.mulf
  return %s, %t : tensor<?x?xf32>, tensor<?xf32>
}
