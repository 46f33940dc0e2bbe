// RUN: arr-opt %s --kernel-form-copies --split-input-file | FileCheck %s

// What lies together is no kernel; nothing is one on the CPU.
// CHECK-LABEL: @no_plain
// CHECK: memref.copy
// CHECK-NOT: kernel.launch
module attributes {kernel.device = #kernel.device<"cuda", {}>} {
func.func @no_plain(%x: memref<?xf32>, %y: memref<?xf32>) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  return
}
}

// -----

// CHECK-LABEL: @no_device
// CHECK: memref.copy
func.func @no_device(%x: memref<4xf32>, %y: memref<4xf32, strided<[2]>>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32, strided<[2]>>
  return
}

// -----

// CHECK-LABEL: @column
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32, strided<[?], offset: 1>>)
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: %[[M:.*]] = memref.dim %[[Y]]
// CHECK: kernel.launch @column_copy_0 (%[[NA:.*]] = %[[N]] : index, %[[MA:.*]] = %[[M]] : index, %[[XA:.*]][%[[NA]]] = %[[X]] : memref<?xf32>) outs (%[[YA:.*]][%[[MA]]] = %[[Y]] : memref<?xf32, strided<[?], offset: 1>>)
// CHECK:   kernel.for "d0" (%[[I:.*]]) in %[[NA]] {
// CHECK:     %[[V:.*]] = kernel.load %[[XA]][%[[I]]]
// CHECK:     kernel.store %[[V]], %[[YA]][%[[I]]]
// CHECK-NOT: memref.copy
module attributes {kernel.device = #kernel.device<"cuda", {}>} {
func.func @column(%x: memref<?xf32>, %y: memref<?xf32, strided<[?], offset: 1>>) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32, strided<[?], offset: 1>>
  return
}
}

// -----

// One element, and a size that one side knows.
// CHECK-LABEL: @element
// CHECK: kernel.launch @element_copy_0
// CHECK-NOT: kernel.for
// CHECK: kernel.load %{{.*}}[]
// CHECK: kernel.launch @element_copy_1
// CHECK: kernel.for "d0" (%{{.*}}) in 8
// CHECK: kernel.for "d1" (%{{.*}}) in 4
module attributes {kernel.device = #kernel.device<"opencl", {}>} {
func.func @element(%x: memref<i64>, %y: memref<i64, strided<[]>>, %a: memref<?x4xf32>, %b: memref<8x4xf32, strided<[9, 2]>>) {
  memref.copy %x, %y : memref<i64> to memref<i64, strided<[]>>
  memref.copy %a, %b : memref<?x4xf32> to memref<8x4xf32, strided<[9, 2]>>
  return
}
}

// -----

// A constant is no array of the launch.
// CHECK-LABEL: @constant
// CHECK-SAME: %[[Y:.*]]: memref<i32, strided<[], offset: ?>>
// CHECK: kernel.launch @constant_copy_0 () outs (%[[YA:.*]] = %[[Y]] : memref<i32, strided<[], offset: ?>>)
// CHECK:   %[[C:.*]] = arith.constant 7 : i32
// CHECK:   kernel.store %[[C]], %[[YA]][]
module attributes {kernel.device = #kernel.device<"cuda", {}>} {
memref.global "private" constant @seven : memref<i32> = dense<7>
func.func @constant(%y: memref<i32, strided<[], offset: ?>>) {
  %x = memref.get_global @seven : memref<i32>
  memref.copy %x, %y : memref<i32> to memref<i32, strided<[], offset: ?>>
  return
}
}
