// RUN: arr-opt %s --kernel-load-elements --canonicalize --cse --verify-each | FileCheck %s

// The launch writes in the place of the array.

// CHECK-LABEL: func.func @no_load_written
// CHECK: %[[E:.*]] = tensor.extract
// CHECK: kernel.launch @k ({{.*}} = %[[E]] : f32)
func.func @no_load_written(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %a[%c0] : tensor<8xf32>
  %r = kernel.launch @k (%E = %e : f32) outs (%A[8] = %a : tensor<8xf32>) {
    kernel.for "i" (%i) in 8 {
      kernel.store %E, %A[%i] : memref<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// Another launch does so in between.

// CHECK-LABEL: func.func @no_load_written_before
// CHECK: %[[E:.*]] = tensor.extract
// CHECK: kernel.launch @first
// CHECK: kernel.launch @k ({{.*}} = %[[E]] : f32)
func.func @no_load_written_before(%a: tensor<8xf32>, %b: tensor<8xf32>, %s: f32)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %a[%c0] : tensor<8xf32>
  %q = kernel.launch @first (%S = %s : f32) outs (%A[8] = %a : tensor<8xf32>) {
    kernel.for "i" (%i) in 8 {
      kernel.store %S, %A[%i] : memref<8xf32>
    }
  }
  %r = kernel.launch @k (%E = %e : f32) outs (%B[8] = %b : tensor<8xf32>) {
    kernel.for "i" (%i) in 8 {
      kernel.store %E, %B[%i] : memref<8xf32>
    }
  }
  return %q, %r : tensor<8xf32>, tensor<8xf32>
}

// A division in every thread costs more than it saves.

// CHECK-LABEL: func.func @no_load_division
// CHECK: tensor.extract
// CHECK: arith.divf
// CHECK: kernel.launch
func.func @no_load_division(%a: tensor<8xf32>, %b: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %a[%c0] : tensor<8xf32>
  %d = arith.divf %s, %e : f32
  %r = kernel.launch @k (%D = %d : f32) outs (%B[8] = %b : tensor<8xf32>) {
    kernel.for "i" (%i) in 8 {
      kernel.store %D, %B[%i] : memref<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// Weights of a window: one argument for all of them, indices as numbers, and
// arithmetic that the launch does again.

// CHECK-LABEL: func.func @weights
// CHECK-SAME: (%[[W:.*]]: tensor<2x2xf32>, %[[B:.*]]: tensor<8xf32>, %[[S:.*]]: f32
// CHECK-NOT: tensor.extract
// CHECK-NOT: arith.mulf
// CHECK: kernel.launch @k (%[[IW:.*]][2, 2] = %[[W]] : tensor<2x2xf32>, %[[IS:.*]] = %[[S]] : f32)
// CHECK: kernel.for
// CHECK-DAG: %[[U:.*]] = kernel.load %[[IW]][%c0, %c1]
// CHECK-DAG: %[[V:.*]] = kernel.load %[[IW]][%c1, %c1]
// CHECK-DAG: %[[M:.*]] = arith.mulf %[[V]], %[[IS]]
// CHECK: arith.addf %[[U]], %[[M]]
func.func @weights(%w: tensor<2x2xf32>, %b: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.extract %w[%c0, %c1] : tensor<2x2xf32>
  %f = tensor.extract %w[%c1, %c1] : tensor<2x2xf32>
  %g = arith.mulf %f, %s : f32
  %r = kernel.launch @k (%E = %e : f32, %G = %g : f32) outs (%B[8] = %b : tensor<8xf32>) {
    kernel.for "i" (%i) in 8 {
      %x = arith.addf %E, %G : f32
      kernel.store %x, %B[%i] : memref<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// The index is a number of the host, the array an operand already, with its
// sizes.

// CHECK-LABEL: func.func @row
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[K:.*]]: index
// CHECK-NOT: tensor.extract
// CHECK: kernel.launch @k (%[[N:.*]] = %{{.*}} : index, %[[IA:.*]][%[[N]]] = %[[A]] : tensor<?xf32>, %[[IK:.*]] = %[[K]] : index)
// CHECK: kernel.for
// CHECK: %[[E:.*]] = kernel.load %[[IA]][%[[IK]]]
// CHECK: arith.subf %{{.*}}, %[[E]]
func.func @row(%a: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.extract %a[%k] : tensor<?xf32>
  %b = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @k (%N = %n : index, %A[%N] = %a : tensor<?xf32>, %E = %e : f32)
      outs (%B[%N] = %b : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %x = kernel.load %A[%i] : memref<?xf32>
      %y = arith.subf %x, %E : f32
      kernel.store %y, %B[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// A fold keeps a nest that holds nothing else: the load stands in front of it.

// CHECK-LABEL: func.func @fold
// CHECK-SAME: (%[[W:.*]]: tensor<2x2xf32>
// CHECK-NOT: tensor.extract
// CHECK: kernel.launch
// CHECK: %[[V:.*]] = kernel.load %{{.*}}[%c0, %c1]
// CHECK: kernel.for "i"
// CHECK-NEXT: kernel.for "j"
// CHECK: arith.mulf %{{.*}}, %[[V]]
func.func @fold(%w: tensor<2x2xf32>, %a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.extract %w[%c0, %c1] : tensor<2x2xf32>
  %r = kernel.launch @k (%E = %e : f32, %A[4, 8] = %a : tensor<4x8xf32>)
      outs (%B[4] = %b : tensor<4xf32>) {
    kernel.for "i" (%i) in 4 {
      %z = arith.constant 0.0 : f32
      %s = kernel.for "j" (%j) in 8 reduce (%z : f32) by arith.addf {
        %x = kernel.load %A[%i, %j] : memref<4x8xf32>
        %y = arith.mulf %x, %E : f32
        kernel.yield %y : f32
      }
      kernel.store %s, %B[%i] : memref<4xf32>
    }
  }
  return %r : tensor<4xf32>
}

// A new operand brings its sizes; in a loop whose array another launch updates
// afterwards the element is still there.

// CHECK-LABEL: func.func @in_loop
// CHECK: kernel.iterate times (%[[K:.*]] in %{{.*}}) carry (%[[X:.*]][%{{.*}}] = %{{.*}})
// CHECK-NOT: tensor.extract
// CHECK: kernel.launch @k (%[[IK:.*]] = %[[K]] : index, %[[IN:.*]] = %{{.*}} : index, %[[IX:.*]][%[[IN]]] = %[[X]] : tensor<?xf32>)
// CHECK: kernel.load %[[IX]][%[[IK]]]
// CHECK: kernel.launch @update
func.func @in_loop(%a: tensor<?xf32>, %b: tensor<8xf32>, %n: index, %s: f32) -> tensor<?xf32> {
  %r = kernel.iterate times (%k in %n) carry (%x[%n] = %a : tensor<?xf32>) {
    %e = tensor.extract %x[%k] : tensor<?xf32>
    %c = kernel.launch @k (%E = %e : f32) outs (%B[8] = %b : tensor<8xf32>) {
      kernel.for "i" (%i) in 8 {
        kernel.store %E, %B[%i] : memref<8xf32>
      }
    }
    %y = kernel.launch @update (%N = %n : index, %C[8] = %c : tensor<8xf32>)
        outs (%X[%N] = %x : tensor<?xf32>) {
      kernel.for "i" (%i) in 8 {
        %v = kernel.load %C[%i] : memref<8xf32>
        kernel.store %v, %X[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// An index that is computed of a cell, which no size is, is loaded too. Where
// the launch has a loop as long, the host has to know it.

// CHECK-LABEL: func.func @counter
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<i64>
// CHECK-NOT: tensor.extract
// CHECK: kernel.launch @k ({{.*}}%[[IC:.*]] = %[[C]] : tensor<i64>
// CHECK: %[[J:.*]] = kernel.load %[[IC]][]
// CHECK: %[[T:.*]] = arith.index_cast %[[J]]
// CHECK: kernel.load %{{.*}}[%[[T]]]
func.func @counter(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<i64>) -> tensor<8xf32> {
  %j = tensor.extract %c[] : tensor<i64>
  %t = arith.index_cast %j : i64 to index
  %e = tensor.extract %a[%t] : tensor<8xf32>
  %r = kernel.launch @k (%E = %e : f32) outs (%B[8] = %b : tensor<8xf32>) {
    kernel.for "i" (%i) in 8 {
      kernel.store %E, %B[%i] : memref<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @no_load_extent
// CHECK: tensor.extract
// CHECK: kernel.launch @k (%[[T:.*]] = %{{.*}} : index
// CHECK: kernel.for "i" (%{{.*}}) in %[[T]]
func.func @no_load_extent(%c: tensor<i64>, %z: f32) -> tensor<8xf32> {
  %j = tensor.extract %c[] : tensor<i64>
  %t = arith.index_cast %j : i64 to index
  %d = tensor.empty() : tensor<8xf32>
  %s = kernel.launch @k (%T = %t : index, %Z = %z : f32) outs (%D[8] = %d : tensor<8xf32>) {
    kernel.for "i" (%i) in %T {
      kernel.store %Z, %D[%i] : memref<8xf32>
    }
  }
  return %s : tensor<8xf32>
}
