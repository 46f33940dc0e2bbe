// RUN: arr-opt %s --kernel-fuse-launches=scalars=true --split-input-file | FileCheck %s

// What is computed of the result of a fold ends its launch.
// CHECK-LABEL: @mean
// CHECK:         kernel.launch @total
// CHECK:           kernel.for "i"
// CHECK:           arith.divf
// CHECK:           kernel.store
// CHECK-NOT:     kernel.launch
func.func @mean(%x: tensor<?xf32>, %n: index, %d: f32) -> tensor<1xf32> {
  %e0 = tensor.empty() : tensor<f32>
  %s = kernel.launch @total (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%S = %e0 : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %t, %S[] : memref<f32>
  }
  %e1 = tensor.empty() : tensor<1xf32>
  %r = kernel.launch @divide (%S = %s : tensor<f32>, %D = %d : f32) outs (%Y[1] = %e1 : tensor<1xf32>) {
    %c0 = arith.constant 0 : index
    %t = kernel.load %S[] : memref<f32>
    %w = arith.divf %t, %D : f32
    kernel.store %w, %Y[%c0] : memref<1xf32>
  }
  return %r : tensor<1xf32>
}

// -----

// Launches with loops are none of its business, though these two could be one.
// CHECK-LABEL: @no_loops
// CHECK-COUNT-2: kernel.launch
func.func @no_loops(%x: tensor<?xf32>, %n: index) -> (tensor<f32>, tensor<f32>) {
  %e0 = tensor.empty() : tensor<f32>
  %s = kernel.launch @total (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%S = %e0 : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %t, %S[] : memref<f32>
  }
  %m = kernel.launch @product (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%S = %e0 : tensor<f32>) {
    %z = arith.constant 1.0 : f32
    %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.mulf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %t, %S[] : memref<f32>
  }
  return %s, %m : tensor<f32>, tensor<f32>
}
