// Neighbours in a loop are joined as well: their indices are extended alike.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // CHECK-LABEL: .entry fold(
  // CHECK: ld.global.nc.v4.b32
  // CHECK-NOT: ld.global.nc.b32
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    gpu.func @fold(%x1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %o: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c1024 = arith.constant 1024 : index
      %c4096 = arith.constant 4096 : index
      %zero = arith.constant 0.0 : f32
      %b0 = gpu.block_id x
      %b = arith.addi %b0, %o : index
      %t = gpu.thread_id x
      %mine = arith.muli %t, %c4 overflow<nsw> : index
      %block = arith.muli %b, %c1024 overflow<nsw> : index
      %first = arith.addi %mine, %block overflow<nsw> : index
      %s:4 = scf.for %k = %c0 to %n step %c1 iter_args(%a0 = %zero, %a1 = %zero, %a2 = %zero, %a3 = %zero) -> (f32, f32, f32, f32) {
        %step = arith.muli %k, %c4096 overflow<nsw> : index
        %i = arith.addi %first, %step overflow<nsw> : index
        %i1 = arith.addi %i, %c1 overflow<nsw> : index
        %i2 = arith.addi %i, %c2 overflow<nsw> : index
        %i3 = arith.addi %i, %c3 overflow<nsw> : index
        %v0 = memref.load %x[%i] : memref<?xf32, #global>
        %v1 = memref.load %x[%i1] : memref<?xf32, #global>
        %v2 = memref.load %x[%i2] : memref<?xf32, #global>
        %v3 = memref.load %x[%i3] : memref<?xf32, #global>
        %r0 = arith.addf %a0, %v0 : f32
        %r1 = arith.addf %a1, %v1 : f32
        %r2 = arith.addf %a2, %v2 : f32
        %r3 = arith.addf %a3, %v3 : f32
        scf.yield %r0, %r1, %r2, %r3 : f32, f32, f32, f32
      }
      %p = arith.addf %s#0, %s#1 : f32
      %q = arith.addf %s#2, %s#3 : f32
      %r = arith.addf %p, %q : f32
      memref.store %r, %y[%first] : memref<?xf32, #global>
      gpu.return
    }
  }
}
