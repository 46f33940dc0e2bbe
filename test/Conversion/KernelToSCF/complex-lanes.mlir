// RUN: arr-opt %s --convert-kernel-to-scf --canonicalize --split-input-file | FileCheck %s

// Sums are of numbers in pairs, as they lie in memory.
// CHECK-LABEL: func @sum
// CHECK: memref.reinterpret_cast %{{.*}} : memref<f64> to memref<?xf64,
// CHECK: %[[A:.*]] = vector.load {{.*}} vector<8xf64>
// CHECK: %[[B:.*]] = vector.load {{.*}} vector<8xf64>
// CHECK-NOT: vector.shuffle
// CHECK: arith.addf %[[A]], %[[A]]
// CHECK: arith.addf %[[B]], %[[B]]
// CHECK-NOT: vector.shuffle
// CHECK: vector.store
// CHECK: vector.store
func.func @sum(%x: memref<?xcomplex<f64>>, %y: memref<?xcomplex<f64>>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xcomplex<f64>>, %N = %n : index) outs (%Y[%N] = %y : memref<?xcomplex<f64>>) {
    kernel.for "i" (%i) in 8 at vector {
      %v = kernel.load %X[%i] : memref<?xcomplex<f64>>
      %w = complex.add %v, %v : complex<f64>
      kernel.store %w, %Y[%i] : memref<?xcomplex<f64>>
    }
  }
  return
}

// -----

// Two vectors side by side are parted, and brought together again.
// CHECK-LABEL: func @turned_left
// CHECK: %[[A:.*]] = vector.load {{.*}} vector<8xf64>
// CHECK: %[[B:.*]] = vector.load {{.*}} vector<8xf64>
// CHECK-DAG: %[[RE:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK-DAG: %[[IM:.*]] = vector.shuffle %[[A]], %[[B]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK: %[[R:.*]] = arith.negf %[[IM]]
// CHECK-DAG: vector.shuffle %[[R]], %[[RE]] [0, 8, 1, 9, 2, 10, 3, 11]
// CHECK-DAG: vector.shuffle %[[R]], %[[RE]] [4, 12, 5, 13, 6, 14, 7, 15]
// CHECK: vector.store
// CHECK: vector.store
func.func @turned_left(%x: memref<?xcomplex<f64>>, %y: memref<?xcomplex<f64>>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xcomplex<f64>>, %N = %n : index) outs (%Y[%N] = %y : memref<?xcomplex<f64>>) {
    kernel.for "i" (%i) in 8 at vector {
      %v = kernel.load %X[%i] : memref<?xcomplex<f64>>
      %re = complex.re %v : complex<f64>
      %im = complex.im %v : complex<f64>
      %r = arith.negf %im : f64
      %w = complex.create %r, %re : complex<f64>
      kernel.store %w, %Y[%i] : memref<?xcomplex<f64>>
    }
  }
  return
}

// -----

// Each number has two elements of the mask.
// CHECK-LABEL: func @masked
// CHECK: vector.shuffle {{.*}} [0, 0, 1, 1, 2, 2, 3, 3] : vector<8xi1>
// CHECK: vector.shuffle {{.*}} [4, 4, 5, 5, 6, 6, 7, 7] : vector<8xi1>
// CHECK: vector.maskedload
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
// CHECK: vector.maskedstore
func.func @masked(%x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xcomplex<f32>>, %N = %n : index) outs (%Y[%N] = %y : memref<?xcomplex<f32>>) {
    kernel.for "i" (%i) in 8 at vector {
      %in = arith.cmpi slt, %i, %N : index
      %v = kernel.load %X[%i] if %in : memref<?xcomplex<f32>>
      %w = complex.neg %v : complex<f32>
      kernel.store %w, %Y[%i] if %in : memref<?xcomplex<f32>>
    }
  }
  return
}

// -----

// Apart in memory: real parts are gathered, then imaginary ones.
// CHECK-LABEL: func @apart
// CHECK: vector.gather
// CHECK: vector.gather
// CHECK: vector.store
func.func @apart(%x: memref<?x?xcomplex<f32>>, %y: memref<?xcomplex<f32>>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xcomplex<f32>>, %N = %n : index, %M = %m : index) outs (%Y[%N] = %y : memref<?xcomplex<f32>>) {
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in 8 at vector {
      %v = kernel.load %X[%i, %c1] : memref<?x?xcomplex<f32>>
      kernel.store %v, %Y[%i] : memref<?xcomplex<f32>>
    }
  }
  return
}
