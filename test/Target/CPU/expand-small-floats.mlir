// RUN: arr-opt %s --cpu-expand-small-floats | FileCheck %s

// CHECK-LABEL: @no_change
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: return
func.func @no_change(%x: f32, %y: f32) -> f32 {
  %a = arith.addf %x, %y : f32
  return %a : f32
}

// Both sums are f32; between them the first is rounded, by integer operations.
// CHECK-LABEL: @rounds_in_the_middle
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.shrui
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: addf {{.*}} : bf16
func.func @rounds_in_the_middle(%x: bf16, %y: bf16, %z: bf16) -> bf16 {
  %a = arith.addf %x, %y : bf16
  %b = arith.addf %a, %z : bf16
  return %b : bf16
}

// One rounding: f32 is rounded to odd before.
// CHECK-LABEL: @double_to_bf16
// CHECK: arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
// CHECK: arith.cmpf one
// CHECK: arith.ori
// CHECK-NOT: bf16
// CHECK: arith.bitcast %{{.*}} : vector<4xi16> to vector<4xbf16>
func.func @double_to_bf16(%x: vector<4xf64>) -> vector<4xbf16> {
  %a = arith.truncf %x : vector<4xf64> to vector<4xbf16>
  return %a : vector<4xbf16>
}

// Nor do integers round twice: longer ones keep whether anything was lost.
// CHECK-LABEL: @long_to_bf16
// CHECK: arith.cmpi ult
// CHECK: arith.select
// CHECK: arith.sitofp %{{.*}} : i64 to f64
func.func @long_to_bf16(%x: i64) -> bf16 {
  %a = arith.sitofp %x : i64 to bf16
  return %a : bf16
}

// CHECK-LABEL: @short_to_bf16
// CHECK-NOT: arith.select
// CHECK: arith.uitofp %{{.*}} : i32 to f64
func.func @short_to_bf16(%x: i32) -> bf16 {
  %a = arith.uitofp %x : i32 to bf16
  return %a : bf16
}

// CHECK-LABEL: func.func @fma
// CHECK-NOT:     math.fma {{.*}} : bf16
// CHECK:         math.fma {{.*}} : f32
func.func @fma(%x: bf16, %y: bf16, %z: bf16) -> bf16 {
  %r = math.fma %x, %y, %z : bf16
  return %r : bf16
}
