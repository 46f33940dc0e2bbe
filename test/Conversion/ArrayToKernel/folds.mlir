// RUN: arr-opt %s --convert-array-to-kernel --canonicalize --cse | FileCheck %s

// A fold of the host is an array of rank 0.

// CHECK-LABEL: @sum
// CHECK: %[[E:.*]] = tensor.empty() : tensor<f32>
// CHECK: %[[R:.*]] = kernel.launch @sum_{{[0-9]+}} ({{.*}}) outs (%[[S:.*]] = %[[E]] : tensor<f32>) {
// CHECK: %[[T:.*]] = kernel.for "i" (%[[I:.*]]) in %{{.*}} reduce (%[[Z:.*]] : f32) by arith.addf {
// CHECK:   %[[U:.*]] = kernel.for "j" (%[[J:.*]]) in %{{.*}} reduce (%[[Z]] : f32) by arith.addf {
// CHECK:     %[[V:.*]] = kernel.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:     kernel.yield %[[V]]
// CHECK:   kernel.yield %[[U]]
// CHECK: kernel.store %[[T]], %[[S]][]
// CHECK: tensor.extract %[[R]][]
func.func @sum(%x: tensor<?x?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = array.reduce (%i "i", %j "j") in (%n, %m) init (%z : f32) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %v : f32
  } by arith.addf
  return %s : f32
}

// Several accumulators and an operator of the user.

// CHECK-LABEL: @several
// CHECK: %[[T:.*]]:2 = kernel.for "i" (%{{.*}}) in %{{.*}} reduce (%{{.*}}, %{{.*}} : f32, i64) by (%[[A:.*]]: f32, %[[P:.*]]: i64, %[[B:.*]]: f32, %[[Q:.*]]: i64) {
// CHECK:   %[[C:.*]] = arith.cmpf olt, %[[B]], %[[A]]
// CHECK-DAG:   arith.select %[[C]], %[[B]], %[[A]] : f32
// CHECK-DAG:   arith.select %[[C]], %[[Q]], %[[P]] : i64
// CHECK:   kernel.yield
// CHECK: kernel.store %[[T]]#0
// CHECK: kernel.store %[[T]]#1
func.func @several(%x: tensor<?xf32>) -> (f32, i64) {
  %c0 = arith.constant 0 : index
  %inf = arith.constant 0x7F800000 : f32
  %none = arith.constant 9223372036854775807 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %s, %k = array.reduce (%i "i") in (%n) init (%inf, %none : f32, i64) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %q = arith.index_cast %i : index to i64
    array.yield %v, %q : f32, i64
  } by (%a: f32, %p: i64, %b: f32, %q: i64) {
    %c = arith.cmpf olt, %b, %a : f32
    %v = arith.select %c, %b, %a : f32
    %w = arith.select %c, %q, %p : i64
    array.yield %v, %w : f32, i64
  }
  return %s, %k : f32, i64
}

// Accumulators that are small arrays become one a element.

// CHECK-LABEL: @small_accumulator
// CHECK: %[[T:.*]]:3 = kernel.for "j" (%{{.*}}) in %{{.*}} reduce (%{{.*}} : f32, f32, f32) by arith.addf {
// CHECK: kernel.store %[[T]]#2, %{{.*}}[%{{.*}}, %c2]
func.func @small_accumulator(%p: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %p, %c0 : tensor<?x3xf32>
  %zz = tensor.splat %z : tensor<3xf32>
  %r = array.map (%i "i") in (%n) {
    %s = array.reduce (%j "j") in (%n) init (%zz : tensor<3xf32>) {
      %v = array.view %p (d0)[s0] -> (s0, d0) [%j] in (3) : tensor<?x3xf32> to tensor<3xf32>
      array.yield %v : tensor<3xf32>
    } by arith.addf
    array.yield %s : tensor<3xf32>
  } : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// CHECK-LABEL: @scan
// CHECK: %[[T:.*]] = kernel.for "i" (%[[I:.*]]) in %{{.*}} scan (%{{.*}} : f32) by arith.addf {
// CHECK:   %[[P:.*]] = kernel.prefix exclusive %{{.*}} : f32
// CHECK:   kernel.store %[[P]], %{{.*}}[%[[I]]]
// CHECK: kernel.store %[[T]], %{{.*}}[] : memref<f32>
func.func @scan(%x: tensor<?xf32>) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %p, %t = array.scan (%i "i") in (%n) init (%z : f32) exclusive {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    array.yield %v : f32
  } by arith.addf
  return %p, %t : tensor<?xf32>, f32
}

// CHECK-LABEL: @histogram
// CHECK-SAME: %[[X:.*]]: tensor<?xi64>, %[[H0:.*]]: tensor<5xi64>
// CHECK: kernel.launch {{.*}} outs (%[[H:.*]][5] = %[[H0]] : tensor<5xi64>)
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[B:.*]], %c5
// CHECK-NOT: kernel.check
// CHECK: kernel.update %{{.*}}, %[[H]][%[[B]]] if %[[IN]] : memref<5xi64> by arith.addi
func.func @histogram(%x: tensor<?xi64>, %h0: tensor<5xi64>) -> tensor<5xi64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %h = array.scatter (%i "i") in (%n) into (%h0 : tensor<5xi64>) {
    %b = array.at %x[%i] inbounds : tensor<?xi64>
    %k = arith.index_cast %b : i64 to index
    array.yield %one : i64 at [%k]
  } by arith.addi oob drop
  return %h : tensor<5xi64>
}

// A row at a checked index.

// CHECK-LABEL: @scatter_rows
// CHECK: kernel.check index %[[IN:.*]], "index {0} is outside of a dimension of size {1}"
// CHECK: kernel.for "e0" (%[[J:.*]]) in %{{.*}} {
// CHECK:   kernel.store %{{.*}}, %{{.*}}[%[[B:.*]], %[[J]]] if %[[IN]]
func.func @scatter_rows(%a: tensor<?x?xf32>, %at: tensor<?xindex>, %rows: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %at, %c0 : tensor<?xindex>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = array.scatter (%i "i") in (%n) into (%a : tensor<?x?xf32>) {
    %b = array.at %at[%i] inbounds : tensor<?xindex>
    %v = array.view %rows (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf32> to tensor<?xf32>
    array.yield %v : tensor<?xf32> at [%b]
  }
  return %r : tensor<?x?xf32>
}
