// RUN: arr-opt %s --cpu-expand-functions | FileCheck %s

// Square roots, sums and exponentials have what they need already.
// CHECK-LABEL: @no_change
// CHECK: math.exp
// CHECK: math.sqrt
func.func @no_change(%x: f32) -> f32 {
  %a = math.exp %x : f32
  %b = math.sqrt %a : f32
  return %b : f32
}

// CHECK-LABEL: @libm
// CHECK: call @erff
// CHECK: call @expm1
func.func @libm(%x: f32, %y: f64) -> (f32, f64) {
  %a = math.erf %x : f32
  %b = math.expm1 %y : f64
  return %a, %b : f32, f64
}

// CHECK-LABEL: @infinite
// CHECK-NOT: math.isinf
// CHECK: return
func.func @infinite(%x: f64) -> i1 {
  %a = math.isinf %x : f64
  return %a : i1
}
