// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s

// Rows and columns that are shorter than a tile are not worth one.
// CHECK-LABEL: @no_short_rows
// CHECK-NOT: stage =
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @no_short_rows(%a: memref<?x4xf32>, %y: memref<4x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, 4] = %a : memref<?x4xf32>, %N = %n : index) outs (%Y[4, %N] = %y : memref<4x?xf32>) {
    kernel.for "i" (%i) in 4 { kernel.for "j" (%j) in %N {
      %v = kernel.load %A[%j, %i] : memref<?x4xf32>
      kernel.store %v, %Y[%i, %j] : memref<4x?xf32>
    } }
  }
  return
}
}

// -----

// What is written in the launch stays where it is.
// CHECK-LABEL: @no_array_that_is_written
// CHECK-NOT: stage =
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @no_array_that_is_written(%a: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%A[%N, %N] = %a : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %v = kernel.load %A[%j, %i] : memref<?x?xf32>
      kernel.store %v, %A[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// CHECK-LABEL: @transposed
// CHECK: kernel.launch @k (%S0[
// CHECK-SAME: i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32]
// CHECK-SAME: stage = [S0 at j.0 shared pad 1]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @transposed(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N] = %a : memref<?x?xf32>, %B[%N, %N] = %b : memref<?x?xf32>, %N = %n : index) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %u = kernel.load %A[%j, %i] : memref<?x?xf32>
      %v = kernel.load %B[%i, %j] : memref<?x?xf32>
      %w = arith.addf %u, %v : f32
      kernel.store %w, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// A matrix product: tiles of both operands, sixteen accumulators a thread, four
// of them neighbours, where the sizes are worth it.
// CHECK-LABEL: @product
// CHECK: versions [<when = #set
// CHECK-SAME: i = [block.1, unroll 4, thread.y 16], j = [block.0, thread.x 16, unroll 4], l = [seq, seq 16]
// CHECK-SAME: order = [i.0, j.0, l.0, i.2, j.1, i.1, j.2, l.1]
// CHECK-SAME: stage = [S0 at l.0 shared pad 1, S1 at l.0 shared pad 4]>
// CHECK-SAME: of (%N, %M, %K)
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %s = kernel.for "l" (%l) in %K reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l] : memref<?x?xf32>
        %v = kernel.load %B[%l, %j] : memref<?x?xf32>
        %w = arith.mulf %u, %v : f32
        kernel.yield %w : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}

// -----

// Operands that move along both dimensions are no product.
// CHECK-LABEL: @no_product
// CHECK-NOT: stage =
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @no_product(%a: memref<?x?x?xf32>, %y: memref<?x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N, %N] = %a : memref<?x?x?xf32>, %N = %n : index) outs (%Y[%N, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %s = kernel.for "l" (%l) in %N reduce (%z : f32) by arith.addf {
        %u = kernel.load %A[%i, %l, %j] : memref<?x?x?xf32>
        kernel.yield %u : f32
      }
      kernel.store %s, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
}
