// RUN: arr-opt %s --kernel-place-constants | FileCheck %s
// RUN: arr-opt %s --kernel-place-constants='alignment=16' | FileCheck %s --check-prefix=SMALL

// A constant array has one global whatever uses it, named in the order of the
// text; a number has none.
// CHECK:      memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[3.000000e+00, 4.000000e+00]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
// CHECK-NOT:  memref.global
// SMALL-COUNT-2: alignment = 16
func.func @f() -> tensor<2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = arith.constant 5.0 : f32
  return %a : tensor<2xf32>
}
func.func @g() -> (tensor<2xf32>, tensor<2xf32>) {
  %b = arith.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %b, %a : tensor<2xf32>, tensor<2xf32>
}
