// RUN: arr-opt %s --convert-kernel-to-scf --split-input-file | FileCheck %s

// Lanes along a row that wraps are one access unless the row's end is between them.
// CHECK-LABEL: func @forward
// CHECK: arith.remsi
// CHECK: }
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: %[[TOGETHER:.*]] = arith.cmpi sge
// CHECK: %[[ONE:.*]] = arith.andi %[[IN]], %[[TOGETHER]] : i1
// CHECK: scf.if %[[ONE]] -> (vector<4xf32>)
// CHECK:   vector.load
// CHECK: else
// CHECK:   vector.gather
func.func @forward(%x: memref<?xf32>, %y: memref<?xf32>, %k: index, %n: index, %s: index) {
  kernel.launch @f (%N = %n : index, %S = %s : index, %X[%S] = %x : memref<?xf32>, %K = %k : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, vector 4]> {
    kernel.for "i.0" (%i) in %N at block.0 {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %p = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%j)[%K]
        %v = kernel.load %X[%p] edge [wrap] : memref<?xf32>
        kernel.store %v, %Y[%j] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Backwards, and under a mask.
// CHECK-LABEL: func @backward
// CHECK: scf.if %{{.*}} -> (vector<4xf32>)
// CHECK:   vector.maskedload
// CHECK:   vector.shuffle
// CHECK: else
// CHECK:   vector.gather
func.func @backward(%x: memref<?xf32>, %y: memref<?xf32>, %k: index, %n: index, %s: index) {
  kernel.launch @f (%N = %n : index, %S = %s : index, %X[%S] = %x : memref<?xf32>, %K = %k : index) outs (%Y[%N] = %y : memref<?xf32>) schedule #kernel.schedule<i = [block.0, vector 4]> {
    kernel.for "i.0" (%i) in %N at block.0 {
      kernel.for "i.1" (%l) in 4 at vector {
        %j = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %l)
        %in = arith.cmpi slt, %j, %N : index
        %p = affine.apply affine_map<(d0)[s0] -> (s0 - d0)>(%j)[%K]
        %v = kernel.load %X[%p] edge [wrap] if %in : memref<?xf32>
        kernel.store %v, %Y[%j] if %in : memref<?xf32>
      }
    }
  }
  return
}
