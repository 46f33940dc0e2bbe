// RUN: arr-opt %s --kernel-plan-destinations | FileCheck %s

// Arguments are the caller's.

// CHECK-LABEL: @no_argument
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: outs (%{{.*}} = %[[E]] : tensor<?xf32>)
func.func @no_argument(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = kernel.launch @neg (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%R[%N] = %e : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %R[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// Read at other indices than the written one, or used afterwards.

// CHECK-LABEL: @no_other_index
// CHECK: %[[E1:.*]] = tensor.empty
// CHECK: %[[E2:.*]] = tensor.empty
// CHECK: outs (%{{.*}} = %[[E2]] : tensor<?xf32>)
// CHECK: %[[E3:.*]] = tensor.empty
// CHECK: outs (%{{.*}} = %[[E3]] : tensor<?xf32>)
func.func @no_other_index(%n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %a = kernel.launch @a (%N = %n : index, %Z = %z : f32) outs (%R[%N] = %e1 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N { kernel.store %Z, %R[%i] : memref<?xf32> }
  }
  %e2 = tensor.empty(%n) : tensor<?xf32>
  %b = kernel.launch @b (%X[%N] = %a : tensor<?xf32>, %N = %n : index) outs (%R[%N] = %e2 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %v = kernel.load %X[%k] edge [wrap] : memref<?xf32>
      kernel.store %v, %R[%i] : memref<?xf32>
    }
  }
  %e3 = tensor.empty(%n) : tensor<?xf32>
  %c = kernel.launch @c (%X[%N] = %b : tensor<?xf32>, %N = %n : index) outs (%R[%N] = %e3 : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %R[%i] : memref<?xf32>
    }
  }
  return %b, %c : tensor<?xf32>, tensor<?xf32>
}

// The row is read whole, three times, before it is written.

// CHECK-LABEL: @in_place_rows
// CHECK: %[[A:.*]] = kernel.launch @a
// CHECK: kernel.launch @b ({{.*}} = %[[A]] : tensor<?x?xf32>{{.*}}) outs (%{{.*}} = %[[A]] : tensor<?x?xf32>)
func.func @in_place_rows(%n: index, %m: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %a = kernel.launch @a (%N = %n : index, %M = %m : index, %Z = %z : f32) outs (%R[%N, %M] = %e1 : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.store %Z, %R[%i, %j] : memref<?x?xf32> } }
  }
  %e2 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %b = kernel.launch @b (%X[%N, %M] = %a : tensor<?x?xf32>, %N = %n : index, %M = %m : index, %Z = %z : f32) outs (%R[%N, %M] = %e2 : tensor<?x?xf32>) {
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%Z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = arith.divf %v, %s : f32
        kernel.store %w, %R[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return %b : tensor<?x?xf32>
}
