// Four elements a thread: accesses of 128 bits, the read-only cache for what
// nobody writes, no fused product without leave, the block size to the dot.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // CHECK: .version 7.8
  // CHECK: .target sm_90
  // CHECK: .address_size 64
  // CHECK: .visible .entry saxpy(
  // CHECK-NEXT: .param .u64 .ptr .global .align 16 saxpy_param_0,
  // CHECK-NEXT: .param .u64 .ptr .global .align 16 saxpy_param_1,
  // CHECK-NEXT: .param .f32 saxpy_param_2,
  // CHECK-NEXT: .param .u32 saxpy_param_3
  // CHECK: .reqntid 256, 1, 1
  // CHECK-NOT: .maxntid
  // CHECK: ld.global.nc.v4.b32
  // CHECK: ld.global.v4.b32
  // CHECK-COUNT-4: mul.rn.f32
  // CHECK: add.rn.f32
  // CHECK-NOT: fma
  // CHECK: st.global.v4.b32
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    gpu.func @saxpy(%x1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %a: f32, %n: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %b, %c256 : index
      %thread = arith.addi %first, %t : index
      %i = arith.muli %thread, %c4 : index
      %i1 = arith.addi %i, %c1 : index
      %i2 = arith.addi %i, %c2 : index
      %i3 = arith.addi %i, %c3 : index
      %in = arith.cmpi slt, %i3, %n : index
      scf.if %in {
        %x0 = memref.load %x[%i] : memref<?xf32, #global>
        %xx1 = memref.load %x[%i1] : memref<?xf32, #global>
        %x2 = memref.load %x[%i2] : memref<?xf32, #global>
        %x3 = memref.load %x[%i3] : memref<?xf32, #global>
        %y0 = memref.load %y[%i] : memref<?xf32, #global>
        %yy1 = memref.load %y[%i1] : memref<?xf32, #global>
        %y2 = memref.load %y[%i2] : memref<?xf32, #global>
        %y3 = memref.load %y[%i3] : memref<?xf32, #global>
        %p0 = arith.mulf %a, %x0 : f32
        %p1 = arith.mulf %a, %xx1 : f32
        %p2 = arith.mulf %a, %x2 : f32
        %p3 = arith.mulf %a, %x3 : f32
        %r0 = arith.addf %p0, %y0 : f32
        %r1 = arith.addf %p1, %yy1 : f32
        %r2 = arith.addf %p2, %y2 : f32
        %r3 = arith.addf %p3, %y3 : f32
        memref.store %r0, %y[%i] : memref<?xf32, #global>
        memref.store %r1, %y[%i1] : memref<?xf32, #global>
        memref.store %r2, %y[%i2] : memref<?xf32, #global>
        memref.store %r3, %y[%i3] : memref<?xf32, #global>
      }
      gpu.return
    }
  }
}
