// Locals of sizes that kernels alone know get room for the largest.
// RUN: arr-opt %s --kernel-bound-locals --canonicalize --cse --verify-each --split-input-file | FileCheck %s

// kernel-assign-storage finds a bound of the row of a triangle.

// CHECK-LABEL: func.func @no_triangle
// CHECK-NOT: _sizes
// CHECK: kernel.local (%{{.*}}) : memref<?xf32>
func.func @no_triangle(%n: index, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : tensor<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = arith.addi %i, %c1 : index
      %e = kernel.local (%s) : memref<?xf32>
      kernel.for "j" (%j) in %s {
        kernel.store %z, %e[%j] : memref<?xf32>
      }
      %v = kernel.load %e[%c0] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// What the launch has stored cannot be had in front of it.

// CHECK-LABEL: func.func @no_size_of_result
// CHECK-NOT: _sizes
func.func @no_size_of_result(%n: index, %y: tensor<?xindex>) -> tensor<?xindex> {
  %r = kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : tensor<?xindex>) {
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N {
      kernel.store %i, %Y[%i] : memref<?xindex>
      %s = kernel.load %Y[%i] : memref<?xindex>
      %e = kernel.local (%s) : memref<?xindex>
      kernel.store %s, %e[%c0] : memref<?xindex>
      %v = kernel.load %e[%c0] : memref<?xindex>
      kernel.store %v, %Y[%i] : memref<?xindex>
    }
  }
  return %r : tensor<?xindex>
}

// -----

// The size is computed in front; nothing else of the body is. Edges lie where
// the elements end.

// CHECK-LABEL: func.func @row
// CHECK: %[[NONE:.*]] = arith.constant dense<0> : tensor<1xi64>
// CHECK: %[[MOST:.*]] = kernel.launch @k_sizes ({{.*}}) outs (%[[M:.*]][1] = %[[NONE]] : tensor<1xi64>) {
// CHECK: %[[X:.*]] = kernel.for "i" (%[[I:.*]]) in %{{.*}} reduce (%{{.*}} : i64) by arith.maxsi {
// CHECK-NEXT: %[[S:.*]] = kernel.load %{{.*}}[%[[I]]]
// CHECK-NEXT: %[[W:.*]] = arith.index_cast %[[S]]
// CHECK-NEXT: kernel.yield %[[W]]
// CHECK-NEXT: }
// CHECK-NEXT: kernel.store %[[X]], %[[M]][%{{.*}}] : memref<1xi64>
// CHECK: %[[E:.*]] = tensor.extract %[[MOST]]
// CHECK: %[[B:.*]] = arith.index_cast %[[E]] : i64 to index
// CHECK: kernel.launch @k ({{.*}}%[[ROOM:.*]] = %[[B]] : index)
// CHECK: %[[S:.*]] = kernel.load
// CHECK: %[[L:.*]] = kernel.local (%[[ROOM]]) : memref<?xf32>
// CHECK: %[[LAST:.*]] = arith.subi %[[S]], %{{.*}} : index
// CHECK: %[[LOW:.*]] = arith.minsi %[[LAST]], %{{.*}} : index
// CHECK: %[[AT:.*]] = arith.maxsi %[[LOW]], %{{.*}} : index
// CHECK: kernel.load %[[L]][%[[AT]]] : memref<?xf32>
func.func @row(%n: index, %o: tensor<?xindex>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = kernel.launch @k (%N = %n : index, %O[%N] = %o : tensor<?xindex>) outs (%Y[%N] = %y : tensor<?xf32>) {
    %c7 = arith.constant 7 : index
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.load %O[%i] : memref<?xindex>
      %e = kernel.local (%s) : memref<?xf32>
      kernel.for "j" (%j) in %s {
        kernel.store %z, %e[%j] : memref<?xf32>
      }
      %v = kernel.load %e[%c7] edge [clamp] : memref<?xf32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// A size that follows from a local of such a size comes behind that one. The
// fold around it is not needed.

// CHECK-LABEL: func.func @kept_of_row
// CHECK: kernel.launch @k_sizes
// CHECK: kernel.for "i" {{.*}} by arith.maxsi
// CHECK-NEXT: kernel.load
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: kernel.yield
// CHECK: kernel.launch @k_sizes
// CHECK: kernel.for "i" {{.*}} by arith.maxsi
// CHECK: kernel.local
// CHECK: kernel.for "j" {{.*}} reduce {{.*}} by arith.addi
// CHECK: kernel.store
// CHECK: kernel.launch @k (
// CHECK: kernel.for "i" {{.*}} reduce {{.*}} by arith.addi
func.func @kept_of_row(%n: index, %o: tensor<?xindex>, %y: tensor<index>) -> tensor<index> {
  %r = kernel.launch @k (%N = %n : index, %O[%N] = %o : tensor<?xindex>) outs (%Y = %y : tensor<index>) {
    %c0 = arith.constant 0 : index
    %all = kernel.for "i" (%i) in %N reduce (%c0 : index) by arith.addi {
      %s = kernel.load %O[%i] : memref<?xindex>
      %e = kernel.local (%s) : memref<?xindex>
      kernel.for "j" (%j) in %s {
        kernel.store %j, %e[%j] : memref<?xindex>
      }
      %t = kernel.for "j" (%j) in %s reduce (%c0 : index) by arith.addi {
        %x = kernel.load %e[%j] : memref<?xindex>
        kernel.yield %x : index
      }
      %f = kernel.local (%t) : memref<?xindex>
      kernel.for "j" (%j) in %t {
        kernel.store %j, %f[%j] : memref<?xindex>
      }
      %v = kernel.load %f[%c0] : memref<?xindex>
      kernel.yield %v : index
    }
    kernel.store %all, %Y[] : memref<index>
  }
  return %r : tensor<index>
}
