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
