// Launches that differ in their operands alone share a kernel.
// RUN: arr-opt %s -convert-kernel-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @steps
// CHECK:         gpu.launch_func @one_kernel32::@one {{.*}} i32
// CHECK:         gpu.launch_func @one_kernel32::@one
// CHECK:         gpu.launch_func @other_kernel32::@other
// CHECK-NOT:   @two
// CHECK:       gpu.module @one_kernel32
// CHECK-NOT:   @two
// CHECK:       gpu.module @other_kernel32
func.func @steps() -> memref<9xi32> {
  %x = memref.alloc() : memref<9xi32>
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  kernel.launch @one (%A = %c1 : i32) outs (%X[9] = %x : memref<9xi32>) {
    kernel.for "i" (%i) in 9 at block.0 {
      kernel.store %A, %X[%i] : memref<9xi32>
    }
  }
  kernel.launch @two (%A = %c2 : i32) outs (%X[9] = %x : memref<9xi32>) {
    kernel.for "i" (%i) in 9 at block.0 {
      kernel.store %A, %X[%i] : memref<9xi32>
    }
  }
  kernel.launch @other (%A = %c2 : i32) outs (%X[9] = %x : memref<9xi32>) {
    kernel.for "i" (%i) in 9 at block.0 {
      %v = arith.addi %A, %A : i32
      kernel.store %v, %X[%i] : memref<9xi32>
    }
  }
  return %x : memref<9xi32>
}
