// RUN: arr-opt %s --kernel-perfect-nests | FileCheck %s

// A value that another loop needs stays where both see it.
// CHECK-LABEL: @no_move_shared
func.func @no_move_shared(%n: index, %m: index, %a: memref<?x?xf32>, %b: memref<?xf32>, %r: memref<?xf32>, %s: memref<?xf32>) {
  // CHECK: kernel.for "i"
  // CHECK-NEXT: kernel.load %{{.*}} : memref<?xf32>
  // CHECK-NEXT: kernel.for "j"
  kernel.launch @no_move_shared (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>, %B[%N] = %b : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>, %S[%N] = %s : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %v = kernel.load %B[%i] : memref<?xf32>
      %sum = kernel.for "j" (%j) in %M reduce (%zero : f32) by arith.addf {
        %w = kernel.load %A[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %v, %w : f32
        kernel.yield %p : f32
      }
      kernel.store %sum, %R[%i] : memref<?xf32>
      kernel.store %v, %S[%i] : memref<?xf32>
    }
  }
  return
}

// What the launch writes is loaded where it was.
// CHECK-LABEL: @no_move_written
func.func @no_move_written(%n: index, %m: index, %a: memref<?x?xf32>, %r: memref<?xf32>) {
  // CHECK: kernel.for "i"
  // CHECK-NEXT: kernel.load %{{.*}} : memref<?xf32>
  // CHECK-NEXT: kernel.for "j"
  kernel.launch @no_move_written (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %v = kernel.load %R[%i] : memref<?xf32>
      %sum = kernel.for "j" (%j) in %M reduce (%zero : f32) by arith.addf {
        %w = kernel.load %A[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %v, %w : f32
        kernel.yield %p : f32
      }
      kernel.store %sum, %R[%i] : memref<?xf32>
    }
  }
  return
}

// Loads and what is computed of them move to the innermost fold.
// CHECK-LABEL: @columns
func.func @columns(%n: index, %m: index, %a: memref<?x?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  // CHECK: kernel.for "i"
  // CHECK-NEXT: kernel.for "j"
  // CHECK-NEXT: %[[V:.*]] = kernel.load %{{.*}} : memref<?xf32>
  // CHECK-NEXT: %[[D:.*]] = arith.addf %[[V]], %[[V]]
  // CHECK-NEXT: kernel.load %{{.*}} : memref<?x?xf32>
  // CHECK-NEXT: arith.mulf %[[D]]
  %r = memref.alloc(%n) : memref<?xf32>
  kernel.launch @columns (%N = %n : index, %M = %m : index, %A[%M, %N] = %a : memref<?x?xf32>, %B[%N] = %b : memref<?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %v = kernel.load %B[%i] : memref<?xf32>
      %d = arith.addf %v, %v : f32
      %sum = kernel.for "j" (%j) in %M reduce (%zero : f32) by arith.addf {
        %w = kernel.load %A[%j, %i] : memref<?x?xf32>
        %p = arith.mulf %d, %w : f32
        kernel.yield %p : f32
      }
      kernel.store %sum, %R[%i] : memref<?xf32>
    }
  }
  return %r : memref<?xf32>
}
