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

// Squares of 64.
// CHECK-LABEL: @transposed
// CHECK: kernel.launch @k (%S0[
// CHECK-SAME: i = [block.1, unroll 8, thread.y 8], j = [block.0, unroll 2, thread.x 32]
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

// The tiles on both sides of one run at the same time, however far apart their
// dimensions are.
// CHECK-LABEL: @reversed_dims
// CHECK: i = [block.1, unroll 8, thread.y 8], j = [block.2], l = [block.0, unroll 2, thread.x 32]
// CHECK-SAME: stage = [S0 at l.0 shared pad 1]
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @reversed_dims(%a: memref<?x?x?xf32>, %y: memref<?x?x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, %N, %N] = %a : memref<?x?x?xf32>, %N = %n : index) outs (%Y[%N, %N, %N] = %y : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N { kernel.for "l" (%l) in %N {
      %u = kernel.load %A[%l, %j, %i] : memref<?x?x?xf32>
      kernel.store %u, %Y[%i, %j, %l] : memref<?x?x?xf32>
    } } }
  }
  return
}
}

// -----

// Squares of 32 where elements are wide: rows of 256 bytes as well.
// CHECK-LABEL: @wide
// CHECK: i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32]
// Where a dimension is known to be short, no copies that would be idle, and no
// versions: all of it, and more of the other one.
// CHECK-LABEL: @narrow
// CHECK: schedule #kernel.schedule<i = [unroll 4, thread.y 8], j = [block.0, unroll 4, thread.x 32], order = [j.0, i.1, j.2, i.0, j.1], stage = [S0 at j.0 shared pad 1], split boundary>
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024}>} {
func.func @wide(%a: memref<?x?xf64>, %y: memref<?x?xf64>, %n: index) {
  kernel.launch @k (%A[%N, %N] = %a : memref<?x?xf64>, %N = %n : index) outs (%Y[%N, %N] = %y : memref<?x?xf64>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %N {
      %u = kernel.load %A[%j, %i] : memref<?x?xf64>
      kernel.store %u, %Y[%i, %j] : memref<?x?xf64>
    } }
  }
  return
}
func.func @narrow(%a: memref<?x24xf32>, %y: memref<24x?xf32>, %n: index) {
  kernel.launch @k (%A[%N, 24] = %a : memref<?x24xf32>, %N = %n : index) outs (%Y[24, %N] = %y : memref<24x?xf32>) {
    kernel.for "i" (%i) in 24 { kernel.for "j" (%j) in %N {
      %u = kernel.load %A[%j, %i] : memref<?x24xf32>
      kernel.store %u, %Y[%i, %j] : memref<24x?xf32>
    } }
  }
  return
}
}
