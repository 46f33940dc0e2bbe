// RUN: arr-opt %s --arr-unroll-small-arrays --remark-format=emitRemark --remarks-filter-missed=unroll-small-arrays 2>&1 | FileCheck %s

// CHECK: remark: [Missed] SmallArrayInMemory
// CHECK-SAME: the index is not constant and the array has more than 16 elements
func.func @no_long_chain(%n: index, %m: index) -> tensor<?xindex> {
  %r = array.map (%i) in (%n) {
    %p = array.map (%j) in (17) {
      %x = arith.muli %j, %i : index
      array.yield %x : index
    } : tensor<17xindex>
    %k = arith.remui %i, %m : index
    %x = array.at %p[%k] inbounds : tensor<17xindex>
    array.yield %x : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}
