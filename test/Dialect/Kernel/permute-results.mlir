// RUN: arr-opt %s --kernel-permute-results --split-input-file | FileCheck %s

// The rows that are scanned are read along their length: turned on the way out.
// CHECK-LABEL: @no_rows
// CHECK: kernel.store %{{.*}}, %S[%i, %l]
// CHECK: kernel.launch @turn
func.func @no_rows(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %s = kernel.launch @scan (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%S[%N, %M] = %e : tensor<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "l" (%l) in %M scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %l] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %S[%i, %l] : memref<?x?xf32>
      }
    }
  }
  %f = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = kernel.launch @turn (%N = %n : index, %M = %m : index, %S[%N, %M] = %s : tensor<?x?xf32>) outs (%Y[%M, %N] = %f : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %M {
      kernel.for "j" (%j) in %N {
        %v = kernel.load %S[%j, %i] : memref<?x?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: @no_second_use
// CHECK: kernel.launch @turn
func.func @no_second_use(%x: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = kernel.launch @scan (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%S[%M, %N] = %e : tensor<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %t = kernel.for "l" (%l) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%l, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %S[%j, %l] : memref<?x?xf32>
      }
    }
  }
  %f = tensor.empty(%n, %m) : tensor<?x?xf32>
  %y = kernel.launch @turn (%N = %n : index, %M = %m : index, %S[%M, %N] = %s : tensor<?x?xf32>) outs (%Y[%N, %M] = %f : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %S[%j, %i] : memref<?x?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %s, %y : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// The scans of columns are stored as columns; what turned them back goes.
// CHECK-LABEL: @columns
// CHECK: %[[E:.*]] = tensor.empty(%arg1, %arg2) : tensor<?x?xf32>
// CHECK: %[[S:.*]] = kernel.launch @scan {{.*}} outs (%S[%N, %M] = %[[E]] : tensor<?x?xf32>)
// CHECK:   kernel.store %{{.*}}, %S[%l, %j]
// CHECK-NOT: kernel.launch
// CHECK: return %[[S]]
func.func @columns(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = kernel.launch @scan (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%S[%M, %N] = %e : tensor<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %t = kernel.for "l" (%l) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%l, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %S[%j, %l] : memref<?x?xf32>
      }
    }
  }
  %f = tensor.empty(%n, %m) : tensor<?x?xf32>
  %y = kernel.launch @turn (%N = %n : index, %M = %m : index, %S[%M, %N] = %s : tensor<?x?xf32>) outs (%Y[%N, %M] = %f : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %S[%j, %i] : memref<?x?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %y : tensor<?x?xf32>
}

// -----

// A reader that computes stays, and reads in order.
// CHECK-LABEL: @computes
// CHECK: kernel.store %{{.*}}, %S[%l, %j]
// CHECK: kernel.launch @twice {{.*}}%S[%N, %M] =
// CHECK: kernel.load %S[%i, %j]
func.func @computes(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = kernel.launch @scan (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : tensor<?x?xf32>) outs (%S[%M, %N] = %e : tensor<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %t = kernel.for "l" (%l) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%l, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %S[%j, %l] : memref<?x?xf32>
      }
    }
  }
  %f = tensor.empty(%n, %m) : tensor<?x?xf32>
  %y = kernel.launch @twice (%N = %n : index, %M = %m : index, %S[%M, %N] = %s : tensor<?x?xf32>) outs (%Y[%N, %M] = %f : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %S[%j, %i] : memref<?x?xf32>
        %w = arith.addf %v, %v : f32
        kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %y : tensor<?x?xf32>
}
