// RUN: arr-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --cse | FileCheck %s

// The caller's array is not written: an update works on a copy.

// CHECK-LABEL: @no_write_to_argument
// CHECK-SAME: %[[H0:.*]]: memref<5xi64>
// CHECK: %[[H:.*]] = memref.alloc() {{.*}} : memref<5xi64>
// CHECK: memref.copy %[[H0]], %[[H]]
// CHECK: kernel.launch @count ({{.*}}) outs (%{{.*}} = %[[H]] : memref<5xi64>)
// CHECK: return %[[H]]
func.func @no_write_to_argument(%h: tensor<5xi64> {bufferization.writable = false}, %n: index) -> tensor<5xi64> {
  %r = kernel.launch @count (%N = %n : index) outs (%H[5] = %h : tensor<5xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i" (%i) in %N {
      %k = affine.apply affine_map<(d0) -> (d0 mod 5)>(%i)
      kernel.update %one, %H[%k] : memref<5xi64> by arith.addi
    }
  }
  return %r : tensor<5xi64>
}

// What is not written keeps its contents: the border of the array.

// CHECK-LABEL: @no_full_cover
// CHECK-SAME: %[[X:.*]]: memref<?xf32>
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[X]], %[[A]]
// CHECK: kernel.launch @inner
func.func @no_full_cover(%x: tensor<?xf32> {bufferization.writable = false}, %n: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %m = arith.subi %n, %c2 : index
  %r = kernel.launch @inner (%N = %n : index, %M = %m : index) outs (%X[%N] = %x : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %M {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      kernel.store %z, %X[%k] : memref<?xf32>
    }
  }
  return %r : tensor<?xf32>
}

// Masked stores may leave elements as they were.

// CHECK-LABEL: @no_masked_cover
// CHECK: memref.copy
// CHECK: kernel.launch @masked
func.func @no_masked_cover(%x: tensor<?xf32> {bufferization.writable = false}, %n: index, %p: i1) -> tensor<?xf32> {
  %r = kernel.launch @masked (%N = %n : index, %P = %p : i1) outs (%X[%N] = %x : tensor<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.store %z, %X[%i] if %P : memref<?xf32> }
  }
  return %r : tensor<?xf32>
}

// All elements are written: a new buffer, without contents. The pairs of a row
// count as the row.

// CHECK-LABEL: @cover
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.launch @all ({{.*}}) outs (%{{.*}} = %[[A]] : memref<?x2xf32>)
// CHECK: return %[[A]]
func.func @cover(%x: tensor<?x2xf32> {bufferization.writable = false}, %n: index) -> tensor<?x2xf32> {
  %r = kernel.launch @all (%N = %n : index) outs (%X[%N, 2] = %x : tensor<?x2xf32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      kernel.store %z, %X[%i, %c0] : memref<?x2xf32>
      kernel.store %z, %X[%i, %c1] : memref<?x2xf32>
    }
  }
  return %r : tensor<?x2xf32>
}

// In place, where an element is read before it is written, in one iteration.

// CHECK-LABEL: @in_place
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: kernel.launch @a ({{.*}}) outs (%{{.*}} = %[[A]] : memref<?xf32>)
// CHECK-NOT: memref.copy
// CHECK: kernel.launch @b ({{.*}} = %[[A]] : memref<?xf32>{{.*}}) outs (%{{.*}} = %[[A]] : memref<?xf32>)
// CHECK: return %[[A]]
func.func @in_place(%n: index, %z: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = kernel.launch @a (%N = %n : index, %Z = %z : f32) outs (%R[%N] = %e : tensor<?xf32>) {
    kernel.for "i" (%i) in %N { kernel.store %Z, %R[%i] : memref<?xf32> }
  }
  %b = kernel.launch @b (%X[%N] = %a : tensor<?xf32>, %N = %n : index) outs (%R[%N] = %a : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %w = arith.negf %v : f32
      kernel.store %w, %R[%i] : memref<?xf32>
    }
  }
  return %b : tensor<?xf32>
}

// Not in place, where a neighbour is read.

// CHECK-LABEL: @no_in_place
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: kernel.launch @a ({{.*}}) outs (%{{.*}} = %[[A]] : memref<?xf32>)
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: kernel.launch @b ({{.*}} = %[[A]] : memref<?xf32>{{.*}}) outs (%{{.*}} = %[[B]] : memref<?xf32>)
func.func @no_in_place(%n: index, %z: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = kernel.launch @a (%N = %n : index, %Z = %z : f32) outs (%R[%N] = %e : tensor<?xf32>) {
    kernel.for "i" (%i) in %N { kernel.store %Z, %R[%i] : memref<?xf32> }
  }
  %b = kernel.launch @b (%X[%N] = %a : tensor<?xf32>, %N = %n : index) outs (%R[%N] = %a : tensor<?xf32>) {
    kernel.for "i" (%i) in %N {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %v = kernel.load %X[%k] edge [clamp] : memref<?xf32>
      kernel.store %v, %R[%i] : memref<?xf32>
    }
  }
  return %b : tensor<?xf32>
}

// A time loop copies its initial array once, and nothing in a step.

// CHECK-LABEL: @time_loop
// CHECK-SAME: %[[T0:.*]]: memref<?xf32>
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %[[T0]], %[[A]]
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[R:.*]]:2 = kernel.iterate times (%{{.*}} in %{{.*}}) carry (%[[T:.*]][%{{.*}}] = %[[A]] rotate %[[NEXT:.*]] = %[[B]] : memref<?xf32>) {
// CHECK-NOT: memref
// CHECK: kernel.launch @step ({{.*}} = %[[T]] : memref<?xf32>{{.*}}) outs (%{{.*}} = %[[NEXT]] : memref<?xf32>)
// CHECK: kernel.continue carry %[[NEXT]]
// CHECK: return %[[R]]#0
func.func @time_loop(%t0: tensor<?xf32> {bufferization.writable = false}, %n: index, %s: index) -> tensor<?xf32> {
  %r = kernel.iterate times (%k in %s) carry (%t[%n] = %t0 rotate %next : tensor<?xf32>) {
    %a = kernel.launch @step (%T[%N] = %t : tensor<?xf32>, %N = %n : index) outs (%O[%N] = %next : tensor<?xf32>) {
      kernel.for "i" (%i) in %N {
        %k1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %v = kernel.load %T[%k1] edge [wrap] : memref<?xf32>
        kernel.store %v, %O[%i] : memref<?xf32>
      }
    }
    kernel.continue carry %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// With a flag the old contents count, as for one that is false.

// CHECK-LABEL: @flag
// CHECK: memref.copy
// CHECK: kernel.launch @maybe
func.func @flag(%x: tensor<?xf32> {bufferization.writable = false}, %n: index, %go: tensor<i1>) -> tensor<?xf32> {
  %r = kernel.launch @maybe (%N = %n : index) outs (%X[%N] = %x : tensor<?xf32>) if (%go : tensor<i1>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.store %z, %X[%i] : memref<?xf32> }
  }
  return %r : tensor<?xf32>
}

// A function from outside gets dense arrays and writes into memory of its own.
// What it was given stays as it is.

// CHECK-LABEL: @extern
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>
// CHECK: %[[ROW:.*]] = memref.subview %[[A]]
// CHECK: memref.copy %[[ROW]], %[[DENSE:[a-z_0-9]+]] :
// CHECK: array.extern "f"(%{{.*}}, %[[DENSE]] : i64, memref<?xf32>) as ["i64", "f32"] into(%[[R:[a-z_0-9]+]] : memref<?xf32>)
// CHECK: array.extern "f"(%{{.*}}, %[[R]] : i64, memref<?xf32>) as ["i64", "f32"] into(%[[S:[a-z_0-9]+]] : memref<?xf32>)
// CHECK: return %[[R]], %[[S]] :
func.func @extern(%a: tensor<?x?xf32> {bufferization.writable = false}, %n: index, %k: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %column = tensor.extract_slice %a[0, 1] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %e = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %f = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %r = array.extern "f"(%k, %column : i64, tensor<?xf32>) as ["i64", "f32"] into(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = array.extern "f"(%k, %r : i64, tensor<?xf32>) as ["i64", "f32"] into(%f : tensor<?xf32>) -> tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}
