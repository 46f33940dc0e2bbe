// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(kernel-spread-steps),canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(kernel-spread-steps))' --split-input-file --remark-format=emitRemark --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// An element that the step before has written.
// REMARK: remark: {{.*}}is read in one step and written in another one", Remark="steps run one after the other"
// CHECK-LABEL: func @no_recurrence
// CHECK: kernel.iterate
func.func @no_recurrence(%n: index, %a: memref<?xf32>) {
  %0 = kernel.iterate times (%k in %n) carry (%x[%n] = %a : memref<?xf32>) {
    kernel.launch @next (%K = %k : index, %N = %n : index) outs (%A[%N] = %x : memref<?xf32>) {
      %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%K)
      %v = kernel.load %A[%K] : memref<?xf32>
      kernel.store %v, %A[%i] : memref<?xf32>
    }
    kernel.continue carry %x : memref<?xf32>
  }
  return
}

// -----

// A number that goes from step to step.
// CHECK-LABEL: func @no_scalar
// CHECK: kernel.iterate
func.func @no_scalar(%n: index, %a: memref<?xf32>) {
  %s = memref.alloc() : memref<f32>
  %0 = kernel.iterate times (%k in %n) carry (%x[%n] = %a : memref<?xf32>) {
    %v = memref.load %s[] : memref<f32>
    memref.store %v, %x[%k] : memref<?xf32>
    kernel.launch @next (%K = %k : index, %N = %n : index) outs (%S = %s : memref<f32>) {
      %i = arith.index_cast %K : index to i32
      %f = arith.sitofp %i : i32 to f32
      kernel.store %f, %S[] : memref<f32>
    }
    kernel.continue carry %x : memref<?xf32>
  }
  memref.dealloc %s : memref<f32>
  return
}

// -----

// Row k is read up to column j, what is written stands behind.
// REMARK: remark: {{.*}}steps are iterations of a kernel
// CHECK-LABEL: func @rest_of_row
// CHECK-NOT: kernel.iterate
// CHECK: kernel.launch @rest_of_row_steps_0 (
// CHECK: kernel.for "step" (%[[S:.*]]) in
// CHECK: %[[J:.*]] = affine.apply
// CHECK: kernel.for "l_0" {{.*}} reduce
// CHECK: kernel.store %{{.*}}[%{{.*}}, %[[J]]]
func.func @rest_of_row(%n: index, %k: index, %count: index, %a: memref<?x?xf32>) {
  %t = memref.alloc() : memref<f32>
  %0 = kernel.iterate times (%s in %count) carry (%x[%n, %n] = %a : memref<?x?xf32>) {
    %j = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%s)[%k]
    %old = memref.load %x[%k, %j] : memref<?x?xf32>
    kernel.launch @dot (%K = %k : index, %N = %n : index, %J = %j : index, %A[%N, %N] = %x : memref<?x?xf32>) outs (%T = %t : memref<f32>) {
      %zero = arith.constant 0.0 : f32
      %d = kernel.for "l" (%l) in %K reduce (%zero : f32) by arith.addf fastmath<contract> {
        %p = kernel.load %A[%K, %l] : memref<?x?xf32>
        %q = kernel.load %A[%l, %J] : memref<?x?xf32>
        %m = arith.mulf %p, %q fastmath<contract> : f32
        kernel.yield %m : f32
      }
      kernel.store %d, %T[] : memref<f32>
    }
    %d = memref.load %t[] : memref<f32>
    %new = arith.subf %old, %d : f32
    memref.store %new, %x[%k, %j] : memref<?x?xf32>
    kernel.continue carry %x : memref<?x?xf32>
  }
  memref.dealloc %t : memref<f32>
  return
}

// -----

// A fold and a map are a launch each; what passes between them is read again.
// CHECK-LABEL: func @two_pieces
// CHECK: kernel.launch @two_pieces_steps_0_0 (
// CHECK: kernel.for "step"
// CHECK: reduce
// CHECK: kernel.store %{{.*}}, %[[R:.*]][%{{.*}}] : memref<?xf32>
// CHECK: kernel.launch @two_pieces_steps_0_1 ({{.*}}) outs (
// CHECK: kernel.for "step" (%[[S:.*]]) in
// CHECK: kernel.load %{{.*}}[%[[S]]] : memref<?xf32>
// CHECK: kernel.for "i_1"
func.func @two_pieces(%n: index, %m: index, %a: memref<?x?xf32>, %r: memref<?xf32>) {
  %t = memref.alloc() : memref<f32>
  %0:2 = kernel.iterate times (%s in %m) carry (%x[%n, %m] = %a : memref<?x?xf32>, %y[%m] = %r : memref<?xf32>) {
    kernel.launch @sum (%N = %n : index, %M = %m : index, %S = %s : index, %A[%N, %M] = %x : memref<?x?xf32>) outs (%T = %t : memref<f32>, %R[%M] = %y : memref<?xf32>) {
      %zero = arith.constant 0.0 : f32
      %d = kernel.for "l" (%l) in %N reduce (%zero : f32) by arith.addf fastmath<contract> {
        %p = kernel.load %A[%l, %S] : memref<?x?xf32>
        kernel.yield %p : f32
      }
      kernel.store %d, %T[] : memref<f32>
      kernel.store %d, %R[%S] : memref<?xf32>
    }
    %column = memref.subview %x[0, %s] [%n, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?], offset: ?>>
    kernel.launch @scale (%N = %n : index, %T = %t : memref<f32>) outs (%C[%N] = %column : memref<?xf32, strided<[?], offset: ?>>) {
      %d = kernel.load %T[] : memref<f32>
      kernel.for "i" (%i) in %N {
        %v = kernel.load %C[%i] : memref<?xf32, strided<[?], offset: ?>>
        %w = arith.mulf %v, %d : f32
        kernel.store %w, %C[%i] : memref<?xf32, strided<[?], offset: ?>>
      }
    }
    kernel.continue carry %x, %y : memref<?x?xf32>, memref<?xf32>
  }
  memref.dealloc %t : memref<f32>
  return
}

// -----

// Rows above row k are changed by it: there are as many as the larger of k and
// 0, and where there is one, it is not row k.
// REMARK: remark: {{.*}}steps are iterations of a kernel
// CHECK-LABEL: func @rows_above
// CHECK-NOT: kernel.iterate
// CHECK: kernel.launch @rows_above_steps_0 (
func.func @rows_above(%n: index, %k: index, %a: memref<?x?xf32>) {
  %zero = arith.constant 0 : index
  %above = arith.maxsi %k, %zero : index
  %0 = kernel.iterate times (%s in %above) carry (%x[%n, %n] = %a : memref<?x?xf32>) {
    %row = memref.subview %x[%s, 0] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: ?>>
    kernel.launch @less (%K = %k : index, %N = %n : index, %S = %s : index, %A[%N, %N] = %x : memref<?x?xf32>) outs (%R[%N] = %row : memref<?xf32, strided<[1], offset: ?>>) {
      kernel.for "i" (%i) in %N {
        %p = kernel.load %A[%S, %i] : memref<?x?xf32>
        %q = kernel.load %A[%K, %i] : memref<?x?xf32>
        %r = arith.subf %p, %q : f32
        kernel.store %r, %R[%i] : memref<?xf32, strided<[1], offset: ?>>
      }
    }
    kernel.continue carry %x : memref<?x?xf32>
  }
  return
}
