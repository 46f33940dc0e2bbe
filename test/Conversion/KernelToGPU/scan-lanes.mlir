// Lanes along a dimension that stays stand between those of a scan: eight lanes
// that are four apart shuffle, without shared memory.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, subgroup = 32}>} {

// CHECK-LABEL: gpu.func @columns
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.shuffle  up %{{.*}}, %c4_i32, %c32_i32
// CHECK:         gpu.shuffle  up %{{.*}}, %c8_i32, %c32_i32
// CHECK:         gpu.shuffle  up %{{.*}}, %c16_i32, %c32_i32
// CHECK:         gpu.shuffle  idx
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @scan(%x: memref<8x4xi32>) {
  kernel.launch @columns () outs (%X[8, 4] = %x : memref<8x4xi32>) {
    %z = arith.constant 0 : i32
    kernel.for "j" (%j) in 4 at thread.x {
      %s = kernel.for "i" (%i) in 8 at thread.y scan (%z : i32) by arith.addi {
        %v = kernel.load %X[%i, %j] : memref<8x4xi32>
        %p = kernel.prefix exclusive %v : i32
        kernel.store %p, %X[%i, %j] : memref<8x4xi32>
      }
    }
  }
  return
}
}
