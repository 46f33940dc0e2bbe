// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(arr-expand-sorts))' | FileCheck %s
// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(arr-expand-sorts{all=true}))' | FileCheck %s --check-prefix=ALL

// A sort of the host gets launches of its own.
// CHECK-LABEL: @no_host
// ALL-LABEL: @no_host
func.func @no_host(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: array.sort
  // ALL-NOT: array.sort
  // ALL: scf.while
  %s = array.sort %x : tensor<?xf32>
  return %s : tensor<?xf32>
}

// CHECK-LABEL: @body
func.func @body(%x: tensor<?x?xi32>, %v: tensor<?x?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  // CHECK: array.map
  // CHECK-NOT: array.sort
  // CHECK: %[[NUMBERS:.*]] = array.map (%[[I:.*]] "d0") in (%{{.*}})
  // CHECK: scf.while (%{{.*}}, %{{.*}} = %[[NUMBERS]])
  // CHECK: scf.while
  // CHECK: arith.xori
  // CHECK: arith.cmpi ult
  // CHECK: array.map
  // CHECK: array.yield %{{.*}} : f64
  %r = array.map (%i "i") in (%n) {
    %k = array.view %x (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xi32> to tensor<?xi32>
    %a = array.view %v (d0)[s0] -> (s0, d0) [%i] in (%m) : tensor<?x?xf64> to tensor<?xf64>
    %s:2 = array.sort %k, %a unsigned : tensor<?xi32>, tensor<?xf64>
    array.yield %s#1 : tensor<?xf64>
  } : tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// Of a median of three the comparators that decide it: each is the smaller and
// the larger word of two.
// CHECK-LABEL: @few
func.func @few(%x: tensor<?x3xi32>, %n: index) -> tensor<?xi32> {
  // CHECK: array.map
  // CHECK-NOT: scf.while
  // CHECK-COUNT-3: arith.maxui
  // CHECK: tensor.from_elements
  // CHECK-NOT: array.sort
  %c1 = arith.constant 1 : index
  %r = array.map (%i "i") in (%n) {
    %k = array.view %x (d0)[s0] -> (s0, d0) [%i] in (3) : tensor<?x3xi32> to tensor<3xi32>
    %s = array.sort %k : tensor<3xi32>
    %e = array.at %s[%c1] : tensor<3xi32>
    array.yield %e : i32
  } : tensor<?xi32>
  return %r : tensor<?xi32>
}

// Rows of a body's array, with numbers that move along: equal keys stay in
// their order.
// CHECK-LABEL: @few_rows
func.func @few_rows(%x: tensor<?x4x2xf32>, %p: tensor<4x2xi64>, %n: index) -> tensor<?x4x2xi64> {
  // CHECK: array.map
  // CHECK: array.map (%{{.*}} "d0") in (4)
  // CHECK: arith.bitcast
  // CHECK: %[[LESS:.*]] = arith.cmpi ult
  // CHECK: %[[EQUAL:.*]] = arith.cmpi eq
  // CHECK: %[[EARLIER:.*]] = arith.cmpi ult
  // CHECK: %[[BOTH:.*]] = arith.andi %[[EQUAL]], %[[EARLIER]]
  // CHECK: %[[SWAP:.*]] = arith.ori %[[LESS]], %[[BOTH]]
  // CHECK: arith.select %[[SWAP]]
  // CHECK: array.yield %{{.*}} : tensor<2xi64>
  %r = array.map (%i "i") in (%n) {
    %k = array.view %x (d0, d1)[s0] -> (s0, d0, d1) [%i] in (4, 2) : tensor<?x4x2xf32> to tensor<4x2xf32>
    %s:2 = array.sort %k, %p : tensor<4x2xf32>, tensor<4x2xi64>
    array.yield %s#1 : tensor<4x2xi64>
  } : tensor<?x4x2xi64>
  return %r : tensor<?x4x2xi64>
}
