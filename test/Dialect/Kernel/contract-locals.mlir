// RUN: arr-opt %s --kernel-contract-locals --split-input-file | FileCheck %s

// A masked store may not have happened.
// CHECK-LABEL: @no_masked_store
// CHECK: kernel.local
// CHECK: kernel.store {{.*}} if
// CHECK: kernel.load %{{.*}}[] : memref<f32>
func.func @no_masked_store(%x: memref<?xf32>, %y: memref<?xf32>, %p: i1, %n: index) {
  kernel.launch @masked (%X[%N] = %x : memref<?xf32>, %P = %p : i1, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %e = kernel.local : memref<f32>
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %e[] if %P : memref<f32>
      %w = kernel.load %e[] : memref<f32>
      kernel.store %w, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Two loops use the row: the local keeps that dimension and loses the other.
// CHECK-LABEL: @row_stays
// CHECK: kernel.for "i" (%[[I:[^)]*]])
// CHECK-NEXT: %[[E:.*]] = kernel.local (%{{.*}}) : memref<?xf32>
// CHECK: kernel.for "j" (%[[J:[^)]*]])
// CHECK: kernel.store %{{.*}}, %[[E]][%[[J]]] : memref<?xf32>
// CHECK: kernel.yield %[[V:.*]] : f32
// CHECK: kernel.for "j" (%[[K:[^)]*]])
// CHECK: kernel.load %[[E]][%[[K]]] : memref<?xf32>
func.func @row_stays(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @rows (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %e = kernel.local (%N, %M) : memref<?x?xf32>
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.store %v, %e[%i, %j] : memref<?x?xf32>
        %w = kernel.load %e[%i, %j] : memref<?x?xf32>
        kernel.yield %w : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%i, %j] : memref<?x?xf32>
        %w = arith.divf %v, %s : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// Elements at constant distances are told apart; the local goes.
// CHECK-LABEL: @small_array
// CHECK-NOT: kernel.local
// CHECK: %[[V:.*]] = kernel.load %[[X:.*]][%[[I:.*]]]
// CHECK: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK: arith.subf %[[W]], %[[V]]
func.func @small_array(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @pair (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = kernel.local (%N) : memref<?x2xf32>
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      kernel.store %v, %e[%i, %c0] : memref<?x2xf32>
      kernel.store %w, %e[%i, %c1] : memref<?x2xf32>
      %a = kernel.load %e[%i, %c1] : memref<?x2xf32>
      %b = kernel.load %e[%i, %c0] : memref<?x2xf32>
      %d = arith.subf %a, %b : f32
      kernel.store %d, %Y[%i] : memref<?xf32>
    }
  }
  return
}
