// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(arr-expand-filters))' | FileCheck %s
// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(arr-expand-filters{all=true}))' | FileCheck %s --check-prefix=ALL

// A filter of the host has a launch of its own.
// CHECK-LABEL: @no_expansion_on_the_host
// CHECK: array.filter
// ALL-LABEL: @no_expansion_on_the_host
// ALL-NOT: array.filter
func.func @no_expansion_on_the_host(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %count, %r = array.filter (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    array.yield %keep, %x : i1, f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: @in_a_body
func.func @in_a_body(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  // CHECK: array.map
  // CHECK: %[[S:.*]]:2 = array.scan {{.*}} in (%{{.*}}) init (%{{.*}} : i64) exclusive
  // CHECK: %[[N:.*]] = arith.index_cast %[[S]]#1 : i64 to index
  // CHECK: %[[R0:.*]] = tensor.splat %{{.*}}[%[[N]]] : tensor<?xf32>
  // CHECK: %[[R:.*]] = array.scatter {{.*}} into (%[[R0]]
  // CHECK: array.at %[[S]]#0
  // CHECK: oob drop
  // CHECK: array.reduce {{.*}} in (%[[N]])
  %t = array.map (%j) in (%m) {
    %count, %r = array.filter (%i) in (%n) {
      %x = array.at %a[%i] inbounds : tensor<?xf32>
      %keep = arith.cmpf ogt, %x, %z : f32
      array.yield %keep, %x : i1, f32
    } : tensor<?xf32>
    %s = array.reduce (%k) in (%count) init (%z : f32) {
      %v = array.at %r[%k] inbounds : tensor<?xf32>
      array.yield %v : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %t : tensor<?xf32>
}

// CHECK-LABEL: @rows
func.func @rows(%a: tensor<?x3xf32>, %n: index) -> tensor<?x3xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  // CHECK: array.scan
  // CHECK: tensor.splat %{{.*}} : tensor<?x3xf32>
  // CHECK: array.scatter
  %count, %r = array.filter (%i) in (%n) {
    %x = array.at %a[%i, %c0] inbounds : tensor<?x3xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (3) : tensor<?x3xf32> to tensor<3xf32>
    array.yield %keep, %row : i1, tensor<3xf32>
  } : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
