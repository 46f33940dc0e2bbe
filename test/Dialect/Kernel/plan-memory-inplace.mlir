// Assignments that must not copy: what bufferization made for them is an error,
// and so is nothing else.
// RUN: not arr-opt %s --allow-unregistered-dialect --kernel-plan-memory 2>&1 | FileCheck %s

// CHECK: a.arr:3:3{{.*}}: error: this assignment copies the array, which '@inplace' forbids
// CHECK: b.arr:1:9{{.*}}: note: the array is the caller's, which nothing may change
// CHECK: a.arr:4:3{{.*}}: error: this assignment copies the array, which '@inplace' forbids
// CHECK: a.arr:5:7{{.*}}: note: the old array is needed here
// CHECK-NOT: error

func.func @no_copy_of_the_caller(%a: memref<?xf32> loc("b.arr":1:9), %n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32> loc(fused<"inplace">["a.arr":3:3])
  memref.store %x, %b[%c0] : memref<?xf32>
  return %b : memref<?xf32>
}

func.func @no_copy_of_an_alias(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  "test.write"(%a) : (memref<?xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32> loc(fused<"inplace">["a.arr":4:3])
  memref.store %x, %b[%c0] : memref<?xf32>
  "test.use"(%b, %a) : (memref<?xf32>, memref<?xf32>) -> () loc("a.arr":5:7)
  return %b : memref<?xf32>
}

// What is put in lies in a part of the array, and others may copy.
func.func @copies_of_others(%a: memref<?xf32>, %n: index, %e: memref<4xf32>) -> (memref<?xf32>, memref<?xf32>) {
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32> loc("a.arr":9:9)
  %v = memref.subview %b[0] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1]>>
  memref.copy %e, %v : memref<4xf32> to memref<4xf32, strided<[1]>> loc(fused<"inplace">["a.arr":6:3])
  return %a, %b : memref<?xf32>, memref<?xf32>
}
