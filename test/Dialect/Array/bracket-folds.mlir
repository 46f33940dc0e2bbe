// Folds of floats become maps of folds in order; sizes alone say which.
// RUN: arr-opt %s --arr-bracket-folds --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// Any order of integers, and of the largest one of floats, has the same bits.
// CHECK-LABEL: func @no_rounding
// CHECK: array.reduce
// CHECK: arith.addi, arith.maximumf
func.func @no_rounding(%a: tensor<?xf32>, %k: tensor<?xi64>, %n: index) -> (i64, f32) {
  %z = arith.constant 0 : i64
  %o = arith.constant 0xFF800000 : f32
  %s:2 = array.reduce (%i) in (%n) init (%z, %o : i64, f32) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %y = array.at %k[%i] inbounds : tensor<?xi64>
    array.yield %y, %x : i64, f32
  } by arith.addi, arith.maximumf
  return %s#0, %s#1 : i64, f32
}

// -----

// A product keeps its fold, which launches run in order.
// CHECK-LABEL: func @no_stages_of_a_product
// CHECK: array.reduce
// CHECK: arith.mulf {{.*}} fastmath<contract>
func.func @no_stages_of_a_product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %n: index, %k: index, %m: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c = array.map (%i, %j) in (%n, %m) {
    %s = array.reduce (%l) in (%k) init (%z : f32) {
      %x = array.at %a[%i, %l] inbounds : tensor<?x?xf32>
      %y = array.at %b[%l, %j] inbounds : tensor<?x?xf32>
      %p = arith.mulf %x, %y fastmath<contract> : f32
      array.yield %p : f32
    } by arith.addf fastmath<contract>
    array.yield %s : f32
  } : tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// -----

// 32 chains of 64 in whole blocks of 2048; then what is left; then these,
// thrice by sixty-fourths; then one chain.
// CHECK: #[[AT:.*]] = affine_map<(d0, d1, d2) -> (d0 * 2048 + d1 * 32 + d2)>
// CHECK-LABEL: func @total
// CHECK-DAG: %[[C2048:.*]] = arith.constant 2048 : index
// CHECK: %[[BLOCKS:.*]] = arith.divui %{{.*}}, %[[C2048]]
// CHECK: array.map (%[[C:.*]] "d0", %[[L:.*]] "d1") in (%[[BLOCKS]], 32) attributes {arrc.partials} {
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %c64
// CHECK: affine.apply #[[AT]](%[[C]], %[[K]], %[[L]])
// CHECK: arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f32
// CHECK: tensor.collapse_shape
// CHECK: arith.remui %{{.*}}, %[[C2048]]
// CHECK-COUNT-5: array.map {{.*}} attributes {arrc.partials}
// CHECK-NOT: array.map
// CHECK: return
func.func @total(%a: tensor<?xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    array.yield %x : f32
  } by arith.addf fastmath<contract>
  return %s : f32
}

// -----

// Columns: the map's index is the last one of all stages.
// CHECK-LABEL: func @columns
// CHECK: array.map (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}}, 32, %arg2) attributes {arrc.partials}
func.func @columns(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%j) in (%m) {
    %s = array.reduce (%i) in (%n) init (%z : f32) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Products that are added are fma; a fold whose length is the row's own is a
// loop.
// CHECK-LABEL: func @triangle
// CHECK: array.map (%[[I:.*]]) in (%arg1)
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %[[I]]
// CHECK: math.fma
// CHECK-NOT: array.map
// CHECK: return
func.func @triangle(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%k, %l) in (%i, %n) init (%z : f32) {
      %x = array.at %a[%k] inbounds : tensor<?xf32>
      %p = arith.mulf %x, %x fastmath<contract> : f32
      array.yield %p : f32
    } by arith.addf fastmath<contract>
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A histogram has a copy of its bins for each range of points.
// CHECK-LABEL: func @bins
// CHECK-NOT: array.scatter
// CHECK: array.map {{.*}} {
// CHECK: scf.for
// CHECK: array.check index
// CHECK: tensor.insert
// CHECK: array.map
// CHECK: scf.for
func.func @bins(%k: tensor<?xi64>, %a: tensor<?xf64>, %n: index) -> tensor<10xf64> {
  %z = arith.constant dense<0.0> : tensor<10xf64>
  %h = array.scatter (%i) in (%n) into (%z : tensor<10xf64>) {
    %b = array.at %k[%i] inbounds : tensor<?xi64>
    %p = arith.index_cast %b : i64 to index
    %x = array.at %a[%i] inbounds : tensor<?xf64>
    array.yield %x : f64 at [%p]
  } by arith.addf
  return %h : tensor<10xf64>
}

// -----

// Sums of f32 are exact below, in any order.
// CHECK-LABEL: @no_exact_bins
// CHECK-SAME: arrc.same_bits
// CHECK: array.scatter
// CHECK: } by arith.addf
func.func @no_exact_bins(%k: tensor<?xi64>, %a: tensor<?xf32>, %n: index) -> tensor<10xf32> {
  %z = arith.constant dense<0.0> : tensor<10xf32>
  %h = array.scatter (%i) in (%n) into (%z : tensor<10xf32>) {
    %b = array.at %k[%i] inbounds : tensor<?xi64>
    %p = arith.index_cast %b : i64 to index
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    array.yield %x : f32 at [%p]
  } by arith.addf
  return %h : tensor<10xf32>
}

// -----

func.func @no_function(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    // expected-error @+1 {{'exp' has other bits on other targets, which '--reproducible' forbids}}
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Accumulators that are small arrays: each prefix is a row.
// CHECK-LABEL: func @scan_of_rows
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<?x2xf32>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ALL:.*]] = %[[E]]) -> (tensor<2xf32>, tensor<?x2xf32>)
// CHECK: %[[NEXT:.*]] = arith.addf
// CHECK: tensor.insert_slice %[[NEXT]] into %[[ALL]][%[[I]], 0] [1, 2] [1, 1]
func.func @scan_of_rows(%a: tensor<?x2xf32>, %z: tensor<2xf32>, %n: index) -> tensor<?x2xf32> {
  %p, %t = array.scan (%i) in (%n) init (%z : tensor<2xf32>) {
    %x = array.view %a (d0)[s0] -> (s0, d0) [%i] in (2) : tensor<?x2xf32> to tensor<2xf32>
    array.yield %x : tensor<2xf32>
  } by arith.addf
  return %p : tensor<?x2xf32>
}
