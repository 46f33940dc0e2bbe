// Blocks that share a row of which each keeps a part: they leave what they have
// folded for the others and take what these have.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, resident_units = 132, subgroup = 32}>} {

// The state: its head, then a word a block and fold.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[PARTS:.*]] = affine.apply
// CHECK:         arith.muli
// CHECK:         %[[STATE:.*]] = memref.alloc(%{{.*}}) {kernel.workspace} : memref<?xi64>
// CHECK:         gpu.memset %[[STATE]], %c0_i64
// CHECK:         gpu.launch_func
// CHECK:         memref.dealloc %[[STATE]]
// Blocks take numbers in the order in which they start. There is room for
// three on every multiprocessor.
// CHECK:       gpu.module @shared_kernel{{.*}} arrc.units = 132 : i32}
// CHECK-LABEL: gpu.func @shared
// CHECK-SAME:    arrc.blocks_per_unit = 3
// CHECK:         memref.atomic_rmw addi %c1_i64, %{{.*}}[%c0]
// CHECK:         gpu.barrier
// CHECK:         %[[OWN:.*]] = arith.ori %{{.*}}, %c4294967296_i64
// CHECK:         memref.store %[[OWN]], %{{.*}} {arrc.device_access}
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c256 iter_args
// CHECK:           scf.while
// CHECK:             memref.load %{{.*}} {arrc.device_access}
// CHECK:           arith.addf
// CHECK:         gpu.shuffle  xor
// CHECK:         arith.divf
func.func @rows(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @shared (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%i) in %N at block.0 {
      %b = affine.apply affine_map<()[s0] -> (s0 ceildiv 256)>()[%M]
      %e = kernel.local {kernel.own_elements, kernel.thread_dims = array<i64: 0>} : memref<256xf32, #kernel.space<register>>
      %s = kernel.for "j.0" (%p) in %b at block.1 reduce (%z : f32) by arith.addf {
        %a = kernel.for "j.1" (%t) in 256 at thread.x reduce (%z : f32) by arith.addf {
          %k = affine.apply affine_map<(d0, d1) -> (d0 * 256 + d1)>(%p, %t)
          %in = arith.cmpi slt, %k, %M : index
          %v = kernel.load %X[%i, %k] if %in : memref<?x?xf32>
          kernel.store %v, %e[%t] : memref<256xf32, #kernel.space<register>>
          kernel.yield %v : f32
        }
        kernel.yield %a : f32
      }
      kernel.for "j.0" (%p) in %b at block.1 {
        kernel.for "j.1" (%t) in 256 at thread.x {
          %k = affine.apply affine_map<(d0, d1) -> (d0 * 256 + d1)>(%p, %t)
          %in = arith.cmpi slt, %k, %M : index
          %v = kernel.load %e[%t] : memref<256xf32, #kernel.space<register>>
          %r = arith.divf %v, %s : f32
          kernel.store %r, %Y[%i, %k] if %in : memref<?x?xf32>
        }
      }
    }
  }
  return
}
}
