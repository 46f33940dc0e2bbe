// RUN: arr-opt %s --convert-array-to-kernel --split-input-file | FileCheck %s

// A dimension that an array does not have verifies: it is left alone.
// CHECK-LABEL: @host
// CHECK: %[[NINE:.*]] = arith.constant 9
// CHECK: tensor.dim %{{.*}}, %[[NINE]]
func.func @host(%a: tensor<?xf32>) -> tensor<?xf32> {
  %nine = arith.constant 9 : index
  %n = tensor.dim %a, %nine : tensor<?xf32>
  %r = array.map (%i "i") in (%n) {
    %c = arith.constant 1.0 : f32
    array.yield %c : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
