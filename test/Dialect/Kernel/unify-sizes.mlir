// RUN: arr-opt %s --kernel-unify-sizes | FileCheck %s

// A check that two sizes differ says nothing, nor does one in a branch about
// what stands behind the branch.

// CHECK-LABEL: func.func @no_equality
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf32>, %[[C:.*]]: i1)
// CHECK: %[[D0:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[D1:.*]] = memref.dim %[[A]], %c1
// CHECK: memref.alloc(%[[D0]], %[[D1]])
// CHECK: memref.alloc(%[[D0]], %[[D1]])
func.func @no_equality(%a: memref<?x?xf32>, %c: i1) -> (memref<?x?xf32>, memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %other = arith.cmpi ne, %d1, %d0 : index
  array.check input %other, "square"
  %b = memref.alloc(%d0, %d1) : memref<?x?xf32>
  scf.if %c {
    %same = arith.cmpi eq, %d1, %d0 : index
    array.check input %same, "not square"
  }
  %e = memref.alloc(%d0, %d1) : memref<?x?xf32>
  return %b, %e : memref<?x?xf32>, memref<?x?xf32>
}

// In front of the check each is itself.

// CHECK-LABEL: func.func @square
// CHECK-SAME: (%[[A:.*]]: memref<?x?xf32>)
// CHECK: %[[D0:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[D1:.*]] = memref.dim %[[A]], %c1
// CHECK: memref.alloc(%[[D0]], %[[D1]])
// CHECK: array.check
// CHECK: memref.alloc(%[[D0]], %[[D0]])
func.func @square(%a: memref<?x?xf32>) -> (memref<?x?xf32>, memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %i0 = arith.index_cast %d0 : index to i64
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %i1 = arith.index_cast %d1 : index to i64
  %b = memref.alloc(%d0, %d1) : memref<?x?xf32>
  %same = arith.cmpi eq, %i1, %i0 : i64
  array.check input %same, "dimension 1 is {0}, but n is {1}"[%i1, %i0 : i64, i64]
  %e = memref.alloc(%d0, %d1) : memref<?x?xf32>
  return %b, %e : memref<?x?xf32>, memref<?x?xf32>
}

// A number that is given names the size as well.

// CHECK-LABEL: func.func @given
// CHECK-SAME: (%[[A:.*]]: memref<?xf32>, %[[N:.*]]: i64)
// CHECK: %[[S:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK: array.check
// CHECK: memref.alloc(%[[S]])
func.func @given(%a: memref<?xf32>, %n: i64) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %d0 = memref.dim %a, %c0 : memref<?xf32>
  %i0 = arith.index_cast %d0 : index to i64
  %same = arith.cmpi eq, %i0, %n : i64
  array.check input %same, "the size is {0}, but n is {1}"[%i0, %n : i64, i64]
  %e = memref.alloc(%d0) : memref<?xf32>
  return %e : memref<?xf32>
}
