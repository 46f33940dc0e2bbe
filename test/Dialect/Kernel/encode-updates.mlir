// RUN: arr-opt %s --kernel-encode-updates --canonicalize --cse --split-input-file | FileCheck %s

// Integers of 32 bits stay, products have no code, two operators on one array
// have none together.
// CHECK-LABEL: @no_integers
// CHECK-NOT: kernel.local
// CHECK-LABEL: @no_product
// CHECK-NOT: kernel.local
// CHECK-LABEL: @no_two_operators
// CHECK-NOT: kernel.local
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1, f64 = 1}>} {
func.func @no_integers(%h: memref<8xi32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xi32>) {
    %one = arith.constant 1 : i32
    kernel.for "i" (%i) in %N {
      kernel.update %one, %H[%i] : memref<8xi32> by arith.addi
    }
  }
  return
}
func.func @no_product(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %v = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %v, %H[%i] : memref<8xf32> by arith.mulf
    }
  }
  return
}
func.func @no_two_operators(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %v = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %v, %H[%i] : memref<8xf32> by arith.addf
      kernel.update %v, %H[%i] : memref<8xf32> by arith.maximumf
    }
  }
  return
}
}

// -----

// Without atomics of 64 bits sums of floats have no code.
// CHECK-LABEL: @no_atomics
// CHECK-NOT: kernel.local
module attributes {kernel.device = #kernel.device<"opencl", {int64_atomics = 0, f64 = 1}>} {
func.func @no_atomics(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %v = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %v, %H[%i] : memref<8xf32> by arith.addf
    }
  }
  return
}
}

// -----

// Sums: 34 integers a bin, copies by the index of the iteration, which are
// folded, then rounded.
// CHECK-LABEL: @sums
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %c32, %c1
// CHECK: %[[C:.*]] = kernel.local (%M, %[[R]]) : memref<34x?x?xi64>
// CHECK: kernel.for "i_e0_i0" (%{{.*}}) in 34 {
// CHECK:   kernel.store %c0_i64, %[[C]]
// CHECK: kernel.for "i" (%[[I:.*]]) in %N {
// CHECK:   %[[V:.*]] = kernel.load %X
// CHECK:   arith.bitcast %[[V]] : f32 to i32
// CHECK:   %[[K:.*]] = arith.index_castui
// CHECK:   %[[COPY:.*]] = arith.andi %[[I]]
// CHECK:   kernel.update %{{.*}}, %[[C]][%[[K]], %{{.*}}, %[[COPY]]] if %{{.*}} by arith.addi
// CHECK: %[[S:.*]] = kernel.local (%M) : memref<34x?xi64>
// CHECK: kernel.for "i_e0_r" {{.*}} reduce
// CHECK: kernel.for "i_e0_d0" (%[[Z:.*]]) in %M {
// CHECK-COUNT-34: kernel.load %[[S]]
// CHECK:   %[[T:.*]] = arith.truncf
// CHECK:   %[[O:.*]] = kernel.load %H[%[[Z]]]
// CHECK:   arith.addf %[[O]]
// CHECK:   kernel.store %{{.*}}, %H[%[[Z]]]
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1, f64 = 1}>} {
func.func @sums(%x: memref<?xf32>, %b: memref<?xindex>, %h: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %B[%N] = %b : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %bin = kernel.load %B[%i] : memref<?xindex>
      %v = kernel.load %X[%i] : memref<?xf32>
      %in = arith.cmpi ult, %bin, %M : index
      kernel.update %v, %H[%bin] if %in : memref<?xf32> by arith.addf
    }
  }
  return
}
}

// -----

// Least and largest floats by integers in their order, narrow ones by 32 bits.
// CHECK-LABEL: @extrema
// CHECK: %[[C:.*]] = kernel.local : memref<8xi32>
// CHECK: kernel.for "i"
// CHECK:   arith.xori %{{.*}}, %c2147483647_i32
// CHECK:   %[[N:.*]] = arith.cmpf uno
// CHECK:   %[[V:.*]] = arith.select %[[N]], %c-2147483648_i32
// CHECK:   kernel.update %[[V]], %[[C]][%{{.*}}] : memref<8xi32> by arith.minsi
// CHECK: %[[OLD:.*]] = kernel.load %H
// CHECK: arith.minimumf %[[OLD]]
// CHECK-LABEL: @narrow
// CHECK: %[[C:.*]] = kernel.local : memref<8xi32>
// CHECK:   %[[V:.*]] = arith.extsi
// CHECK:   kernel.update %[[V]], %[[C]][%{{.*}}] : memref<8xi32> by arith.maxsi
// CHECK: arith.trunci %{{.*}} : i32 to i8
module attributes {kernel.device = #kernel.device<"opencl", {}>} {
func.func @extrema(%x: memref<?xf32>, %h: memref<8xf32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.update %v, %H[%i] : memref<8xf32> by arith.minimumf
    }
  }
  return
}
func.func @narrow(%x: memref<?xi8>, %h: memref<8xi8>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi8>, %N = %n : index) outs (%H[8] = %h : memref<8xi8>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xi8>
      kernel.update %v, %H[%i] : memref<8xi8> by arith.maxsi
    }
  }
  return
}
}
