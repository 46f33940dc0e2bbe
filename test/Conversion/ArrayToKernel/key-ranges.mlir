// RUN: arr-opt %s --convert-array-to-kernel | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {units = 132, max_threads = 1024, shared_bytes = 49152, subgroup = 32, int64_atomics = 1}>} {

// What comes from outside may be any number: four passes by eight bits.
// CHECK-LABEL: func @no_range
// CHECK-COUNT-4: kernel.update {{.*}} : memref<256xi32> by arith.addi
// CHECK-NOT: kernel.update
func.func @no_range(%a: tensor<?xi32>) -> tensor<?xi32> {
  %s = array.sort %a : tensor<?xi32>
  return %s : tensor<?xi32>
}

// So may what was read, or what overflows.
// CHECK-LABEL: func @no_overflow
// CHECK-COUNT-4: kernel.update {{.*}} : memref<256xi32> by arith.addi
// CHECK-NOT: kernel.update
func.func @no_overflow(%a: tensor<?xi32>, %n: index) -> tensor<?xi32> {
  %k = array.map (%i "i") in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xi32>
    %one = arith.constant 1 : i32
    %y = arith.addi %x, %one : i32
    array.yield %y : i32
  } : tensor<?xi32>
  %s = array.sort %k : tensor<?xi32>
  return %s : tensor<?xi32>
}

// Numbers from -70 to 9999: 14 bits, two passes by seven, of what they have over -70.
// CHECK-LABEL: func @clamped
// CHECK: arith.constant -70 : i64
// CHECK: arith.subi
// CHECK-COUNT-2: kernel.update {{.*}} : memref<128xi32> by arith.addi
// CHECK-NOT: kernel.update
func.func @clamped(%a: tensor<?xi64>, %n: index) -> tensor<?xi64> {
  %k = array.map (%i "i") in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xi64>
    %low = arith.constant -70 : i64
    %high = arith.constant 9999 : i64
    %y = arith.maxsi %x, %low : i64
    %z = arith.minsi %y, %high : i64
    array.yield %z : i64
  } : tensor<?xi64>
  %s = array.sort %k : tensor<?xi64>
  return %s : tensor<?xi64>
}

// Eight bits that were widened: one pass.
// CHECK-LABEL: func @widened
// CHECK: kernel.update {{.*}} : memref<256xi32> by arith.addi
// CHECK-NOT: kernel.update
func.func @widened(%a: tensor<?xi8>, %n: index) -> tensor<?xi64> {
  %k = array.map (%i "i") in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xi8>
    %y = arith.extui %x : i8 to i64
    array.yield %y : i64
  } : tensor<?xi64>
  %s = array.sort %k : tensor<?xi64>
  return %s : tensor<?xi64>
}
}
