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
