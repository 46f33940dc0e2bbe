// Powers whose exponents are small multiples of a half are products, roots and
// reciprocals.
// RUN: arr-opt %s --arr-expand-powers | FileCheck %s

// CHECK-LABEL: @whole
// CHECK-SAME: (%[[X:.*]]: f64)
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[X]] : f64
// CHECK: %[[T:.*]] = arith.mulf %[[X]], %[[S]] : f64
// CHECK: return %[[T]]
func.func @whole(%x: f64) -> f64 {
  %c = arith.constant 3.0 : f64
  %p = math.powf %x, %c : f64
  return %p : f64
}

// The reciprocal comes first.
// CHECK-LABEL: @reciprocal
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[R:.*]] = arith.divf %{{.*}}, %[[X]] : f32
// CHECK: %[[S:.*]] = arith.mulf %[[R]], %[[R]] : f32
// CHECK: return %[[S]]
func.func @reciprocal(%x: f32) -> f32 {
  %c = arith.constant -2.0 : f32
  %p = math.powf %x, %c : f32
  return %p : f32
}

// 0 for -0, and what minus infinity gives.
// CHECK-LABEL: @root
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %{{.*}} : f32
// CHECK: %[[S:.*]] = math.sqrt %[[Y]] : f32
// CHECK: %[[P:.*]] = arith.mulf %[[Y]], %[[S]] : f32
// CHECK: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[X]], %[[LOWEST]] : f32
// CHECK: %[[INF:.*]] = arith.constant 0x7F800000 : f32
// CHECK: %[[R:.*]] = arith.select %[[IS]], %[[INF]], %[[P]] : f32
// CHECK: return %[[R]]
func.func @root(%x: f32) -> f32 {
  %c = arith.constant 1.5 : f32
  %p = math.powf %x, %c : f32
  return %p : f32
}

// Neither of a sum of squares and a constant; approximately, one reciprocal.
// CHECK-LABEL: @squares
// CHECK: %[[Y:.*]] = arith.addf
// CHECK-NEXT: %[[S:.*]] = math.sqrt %[[Y]] fastmath<fast> : f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[Y]], %[[S]] fastmath<fast> : f32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.0
// CHECK-NEXT: %[[R:.*]] = arith.divf %[[ONE]], %[[P]] fastmath<fast> : f32
// CHECK-NEXT: return %[[R]]
func.func @squares(%x: f32) -> f32 {
  %c = arith.constant -1.5 : f32
  %e = arith.constant 0.01 : f32
  %s = arith.mulf %x, %x : f32
  %y = arith.addf %s, %e : f32
  %p = math.powf %y, %c fastmath<fast> : f32
  return %p : f32
}

// Products of more numbers would be less exact, other exponents have none.
// CHECK-LABEL: @others
// CHECK-COUNT-4: math.powf
func.func @others(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %a = arith.constant 13.0 : f32
  %b = arith.constant -7.0 : f32
  %c = arith.constant 0.25 : f32
  %0 = math.powf %x, %a : f32
  %1 = math.powf %x, %b : f32
  %2 = math.powf %x, %c : f32
  %3 = math.powf %x, %y : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
