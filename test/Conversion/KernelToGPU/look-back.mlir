// A scan over blocks that look back: numbers from a counter, words that say
// that they are there, no second launch.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, subgroup = 32}>} {

// The state: its head, a word a tile, a word a group of 64 tiles, a word for 63
// of these groups and one more.
// CHECK-LABEL: func.func @scan
// CHECK:         %[[GROUPS:.*]] = arith.ceildivui %{{.*}}, %c64
// CHECK:         arith.ceildivui %[[GROUPS]], %c63
// CHECK:         arith.addi %{{.*}}, %c17
// CHECK:         %[[STATE:.*]] = memref.alloc(%{{.*}}) {kernel.workspace} : memref<?xi64>
// CHECK:         gpu.memset %[[STATE]], %c0_i64
// CHECK:         gpu.launch_func
// CHECK:         memref.dealloc %[[STATE]]
// CHECK-LABEL: gpu.func @prefix
// CHECK:         memref.atomic_rmw addi %c1_i64, %{{.*}}[%c0]
// CHECK:         gpu.barrier
// CHECK:         gpu.shuffle  xor
// CHECK:         %[[OWN:.*]] = arith.ori %{{.*}}, %c4294967296_i64
// CHECK:         memref.store %[[OWN]], %{{.*}} {arrc.device_access}
// CHECK:         scf.while
// CHECK:           memref.load %{{.*}} {arrc.device_access}
// CHECK:           scf.condition
// CHECK:         gpu.shuffle  xor
// CHECK:         memref.store %{{.*}} {arrc.device_access}
// CHECK:         scf.while
// CHECK:           memref.load %{{.*}} {arrc.device_access}
// CHECK:           scf.condition
// CHECK:         gpu.shuffle  xor
// CHECK:         memref.store %{{.*}} {arrc.device_access}
// CHECK:         gpu.shuffle  up
// CHECK:         gpu.shuffle  idx
func.func @scan(%x: memref<?xi32>, %n: index) -> memref<i32> {
  %t = memref.alloc() : memref<i32>
  kernel.launch @prefix (%N = %n : index) outs (%X[%N] = %x : memref<?xi32>, %T[] = %t : memref<i32>) {
    %z = arith.constant 0 : i32
    %b = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%N]
    %s = kernel.for "i.0" (%i) in %b at block.0 scan (%z : i32) by arith.addi {
      %a = kernel.for "i.1" (%j) in 64 at thread.x reduce (%z : i32) by arith.addi {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%i, %j)
        %in = arith.cmpi slt, %k, %N : index
        %v = kernel.load %X[%k] if %in : memref<?xi32>
        kernel.yield %v : i32
      }
      %c = kernel.prefix exclusive %a : i32
      %u = kernel.for "i.1" (%j) in 64 at thread.x scan (%c : i32) by arith.addi {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%i, %j)
        %in = arith.cmpi slt, %k, %N : index
        %v = kernel.load %X[%k] if %in : memref<?xi32>
        %p = kernel.prefix %v : i32
        kernel.store %p, %X[%k] if %in : memref<?xi32>
      }
    }
    kernel.store %s, %T[] : memref<i32>
  }
  return %t : memref<i32>
}
}
