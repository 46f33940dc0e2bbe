// Folds over the rows for every column become a walk along the rows.
// RUN: arr-opt %s --kernel-transpose-folds --split-input-file | FileCheck %s

// Contiguous along the fold: rows stay as they are.
// CHECK-LABEL: func @no_row_sums
// CHECK-NOT: scf.if
func.func @no_row_sums(%a: memref<?x?xf32>, %r: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @rows (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%N] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %u : f32
      }
      kernel.store %s, %R[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// A size that is known to be small decides at once.
// CHECK-LABEL: func @no_few_rows
// CHECK-NOT: scf.if
// CHECK-NOT: scf.for
func.func @no_few_rows(%a: memref<3x?xf32>, %r: memref<?xf32>, %m: index) {
  kernel.launch @columns (%M = %m : index, %A[3, %M] = %a : memref<3x?xf32>) outs (%R[%M] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "i" (%i) in 3 reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %j] : memref<3x?xf32>
        kernel.yield %u : f32
      }
      kernel.store %s, %R[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// A fold whose operator is not known to commute keeps its order.
// CHECK-LABEL: func @no_unknown_operator
// CHECK-NOT: scf.if
func.func @no_unknown_operator(%a: memref<?x?xf32>, %r: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @columns (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%M] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "i" (%i) in %N reduce (%z : f32) by (%p: f32, %q: f32) {
        %h = arith.subf %p, %q : f32
        kernel.yield %h : f32
      } {
        %u = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %u : f32
      }
      kernel.store %s, %R[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func @columns
// CHECK: %[[MANY:.*]] = arith.andi
// CHECK: scf.if %[[MANY]] {
// CHECK:   %[[P:.*]] = memref.alloc(%{{.*}}) : memref<32x?xf32>
// CHECK:   kernel.launch @columns_chunks {{.*}} schedule #kernel.schedule<chunk = [block.0], j = [seq, vector 16], order = [chunk.0, j.1, j.0], split boundary>
// CHECK:     kernel.for "chunk" (%[[C:.*]]) in 32 {
// CHECK:       kernel.for "j"
// CHECK:         kernel.store
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         kernel.for "j" (%[[J:.*]]) in
// CHECK:           kernel.load %{{.*}}[%[[C]], %[[J]]]
// CHECK-COUNT-4:   arith.addf
// CHECK:           kernel.store %{{.*}}, %{{.*}}[%[[C]], %[[J]]]
// CHECK:   kernel.launch @columns_fold
// CHECK:     kernel.for "j"
// CHECK:       kernel.for "chunk" {{.*}} in 32 reduce
// CHECK:       math.sqrt
// CHECK:       kernel.store
// CHECK:   memref.dealloc %[[P]]
// CHECK: } else {
// CHECK:   kernel.launch @columns (
func.func @columns(%a: memref<?x?xf32>, %r: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @columns (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%R[%M] = %r : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %j] : memref<?x?xf32>
        %v = arith.mulf %u, %u : f32
        kernel.yield %v : f32
      }
      %t = math.sqrt %s : f32
      kernel.store %t, %R[%j] : memref<?xf32>
    }
  }
  return
}
