// Indices and assumes tell upstream's range analysis what they are.
// RUN: arr-opt %s --int-range-optimizations --canonicalize | FileCheck %s

// CHECK-LABEL: func @index_in_extent
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: array.yield %[[T]] : i1
func.func @index_in_extent(%n: index) -> tensor<?xi1> {
  %c0 = arith.constant 0 : index
  %r = array.map (%i) in (%n) {
    %ok = arith.cmpi sge, %i, %c0 : index
    array.yield %ok : i1
  } : tensor<?xi1>
  return %r : tensor<?xi1>
}

// CHECK-LABEL: func @assume
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: return %[[T]]
func.func @assume(%n0: index) -> i1 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = array.assume %n0 in 3 to 2147483647 : index
  %m = arith.subi %n, %c2 : index
  %ok = arith.cmpi sge, %m, %c1 : index
  return %ok : i1
}
