// RUN: arr-opt %s --kernel-merge-loops --split-input-file | FileCheck %s

// What is written at another index than it is read keeps the loops apart.
// CHECK-LABEL: @no_shifted_read
// CHECK: kernel.for
// CHECK: kernel.for
func.func @no_shifted_read(%x: tensor<?xf32>, %e: tensor<?xf32>, %f: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %r:2 = kernel.launch @shift (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%E[%N] = %e : tensor<?xf32>, %F[%N] = %f : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %E[%i] : memref<?xf32>
    }
    kernel.for "i" (%i) in %N {
      %p = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %v = kernel.load %E[%p] edge [clamp] : memref<?xf32>
      kernel.store %v, %F[%i] : memref<?xf32>
    }
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The second loop needs the first one's result.
// CHECK-LABEL: @no_result_used
// CHECK: kernel.for {{.*}} reduce
// CHECK: kernel.for
func.func @no_result_used(%x: tensor<?xf32>, %e: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = kernel.launch @centre (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%E[%N] = %e : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %d = arith.subf %v, %s : f32
      kernel.store %d, %E[%i] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// Extents that are not one value are different.
// CHECK-LABEL: @no_other_extent
// CHECK: kernel.for
// CHECK: kernel.for
func.func @no_other_extent(%x: tensor<?xf32>, %e: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %r = kernel.launch @two (%X[%N] = %x : tensor<?xf32>, %N = %n : index, %M = %m : index) outs (%E[%N] = %e : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.store %v, %E[%i] : memref<?xf32>
    }
    kernel.for "j" (%j) in %M {
      %v = kernel.load %X[%j] : memref<?xf32>
      kernel.store %v, %E[%j] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// -----

// A map and the reduction of its result, in rows: one nest that stores and
// folds. What stands between the loops and is needed moves up.
// CHECK-LABEL: @map_and_reduction
// CHECK: %[[NINF:.*]] = arith.constant 0xFF800000
// CHECK: %[[R:.*]] = kernel.for "i" (%[[I:[^)]*]]) in %{{.*}} reduce (%[[NINF]] : f32) by arith.maximumf
// CHECK-NEXT: %[[R1:.*]] = kernel.for "j" (%[[J:[^)]*]]) in %{{.*}} reduce (%[[NINF]] : f32) by arith.maximumf
// CHECK: kernel.store %{{.*}}, %[[E:.*]][%[[I]], %[[J]]]
// CHECK: kernel.load %[[E]][%[[I]], %[[J]]]
// CHECK: kernel.yield %[[R1]]
// CHECK-NOT: kernel.for
// CHECK: kernel.store %[[R]]
func.func @map_and_reduction(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>, %s: tensor<f32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<f32>) {
  %r:2 = kernel.launch @norm (%X[%N, %M] = %x : tensor<?x?xf32>, %N = %n : index, %M = %m : index) outs (%E[%N, %M] = %e : tensor<?x?xf32>, %S = %s : tensor<f32>) {
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %w = arith.mulf %v, %v : f32
        kernel.store %w, %E[%i, %j] : memref<?x?xf32>
      }
    }
    %ninf = arith.constant 0xFF800000 : f32
    %t = kernel.for "p" (%i) in %N reduce (%ninf : f32) by arith.maximumf {
      %u = kernel.for "q" (%j) in %M reduce (%ninf : f32) by arith.maximumf {
        %v = kernel.load %E[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.yield %u : f32
    }
    kernel.store %t, %S[] : memref<f32>
  }
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<f32>
}

// -----

// Two reductions of one array: one loop with two accumulators.
// CHECK-LABEL: @two_reductions
// CHECK: kernel.for "i" ({{.*}}) in {{.*}} reduce ({{.*}} : f32, f32) by arith.addf, arith.maximumf
// CHECK-NOT: kernel.for
func.func @two_reductions(%x: tensor<?xf32>, %s: tensor<f32>, %t: tensor<f32>, %n: index) -> (tensor<f32>, tensor<f32>) {
  %r:2 = kernel.launch @moments (%X[%N] = %x : tensor<?xf32>, %N = %n : index) outs (%S = %s : tensor<f32>, %T = %t : tensor<f32>) {
    %z = arith.constant 0.0 : f32
    %ninf = arith.constant 0xFF800000 : f32
    %a = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    %b = kernel.for "i" (%i) in %N reduce (%ninf : f32) by arith.maximumf {
      %v = kernel.load %X[%i] : memref<?xf32>
      kernel.yield %v : f32
    }
    kernel.store %a, %S[] : memref<f32>
    kernel.store %b, %T[] : memref<f32>
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}

// -----

// Merging brings a loop "i" below a loop that is called "i" now: it gets a name
// of its own; so does a loop over another extent.
// CHECK-LABEL: @names
// CHECK: kernel.for "i" (
// CHECK: kernel.for "j" ({{.*}}) in %[[M:.*]] reduce
// CHECK: kernel.for "i_1" (
func.func @names(%a: tensor<?x?xf32>, %x: tensor<?xf32>, %r: tensor<?xf32>, %c: tensor<?xf32>, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %s:2 = kernel.launch @both (%A[%N, %M] = %a : tensor<?x?xf32>, %X[%N] = %x : tensor<?xf32>, %N = %n : index, %M = %m : index) outs (%R[%N] = %r : tensor<?xf32>, %C[%N] = %c : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.store %t, %R[%i] : memref<?xf32>
    }
    kernel.for "j" (%j) in %N {
      %t = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i] : memref<?xf32>
        %w = kernel.load %R[%j] : memref<?xf32>
        %u = arith.mulf %v, %w : f32
        kernel.yield %u : f32
      }
      kernel.store %t, %C[%j] : memref<?xf32>
    }
  }
  return %s#0, %s#1 : tensor<?xf32>, tensor<?xf32>
}
