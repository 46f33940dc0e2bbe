// Shared memory is one external array, its size comes with the launch; shuffles,
// barriers and the fences around a ticket.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_75"}>} {
  gpu.module @kernels {
    // CHECK: .extern .shared .align 16 .b8 [[SHARED:.*]][];
    // CHECK-LABEL: .entry fold(
    // CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 1, 31, -1
    // CHECK: st.shared.b32
    // CHECK: bar.sync 0
    // CHECK: ld.shared.v2.b32 {{.*}} [[[SHARED]]+16]
    // CHECK: fence.acq_rel.gpu
    // CHECK-NEXT: atom{{.*}}.global.add.u32
    // CHECK-NEXT: fence.acq_rel.gpu
    gpu.func @fold(%x: memref<1xf32, #global>, %ticket: memref<1xi32, #global>) kernel
        attributes {arrc.args = "pp", known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c16 = arith.constant 16 : index
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %s = memref.view %bytes[%c16][] : memref<?xi8, #shared> to memref<2xf32, #shared>
      %t = gpu.thread_id x
      %warp = arith.shrui %t, %c5 : index
      %v = memref.load %x[%c0] : memref<1xf32, #global>
      %bits = arith.bitcast %v : f32 to i32
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %other, %valid = gpu.shuffle xor %bits, %one, %width : i32
      %w = arith.bitcast %other : i32 to f32
      %sum = arith.addf %v, %w : f32
      memref.store %sum, %s[%warp] : memref<2xf32, #shared>
      gpu.barrier
      %a = memref.load %s[%c0] : memref<2xf32, #shared>
      %b = memref.load %s[%c1] : memref<2xf32, #shared>
      %r = arith.addf %a, %b : f32
      memref.store %r, %x[%c0] : memref<1xf32, #global>
      llvm.fence syncscope("device") acq_rel
      %old = memref.atomic_rmw addi %one, %ticket[%c0] : (i32, memref<1xi32, #global>) -> i32
      llvm.fence syncscope("device") acq_rel
      gpu.return
    }
  }
}
