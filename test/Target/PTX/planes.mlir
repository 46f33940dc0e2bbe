// Planes of one pointer, of which both are written: accesses of one stay joined
// where those of the other stand between them, and begin at multiples of 16
// bytes whatever the pitch is.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // CHECK-LABEL: .entry move(
  // CHECK-NEXT: .param .u64 .ptr .global .align 16 move_param_0,
  // CHECK-NEXT: .param .u32 move_param_1,
  // CHECK-COUNT-2: ld.global.v4.b32
  // CHECK-COUNT-2: st.global.v4.b32
  // CHECK-NOT: global
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    gpu.func @move(%p: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %pitch: index, %n: index) kernel
        attributes {arrc.args = "p44", known_block_size = array<i32: 256, 1, 1>} {
      %none = arith.constant 0 : i64
      %first = arith.constant 2048 : i64
      %wide = arith.index_castui %pitch : index to i64
      %shift = arith.muli %wide, %first : i64
      %x1 = builtin.unrealized_conversion_cast %p, %none : memref<1xf32, #global>, i64 to memref<1xf32, #global>
      %y1 = builtin.unrealized_conversion_cast %p, %shift : memref<1xf32, #global>, i64 to memref<1xf32, #global>
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %i0 = arith.muli %t, %c4 overflow<nsw> : index
      %i1 = arith.addi %i0, %c1 overflow<nsw> : index
      %i2 = arith.addi %i0, %c2 overflow<nsw> : index
      %i3 = arith.addi %i0, %c3 overflow<nsw> : index
      %a0 = memref.load %x[%i0] : memref<?xf32, #global>
      %b0 = memref.load %y[%i0] : memref<?xf32, #global>
      %s0 = arith.addf %a0, %b0 : f32
      memref.store %s0, %y[%i0] : memref<?xf32, #global>
      memref.store %b0, %x[%i0] : memref<?xf32, #global>
      %a1 = memref.load %x[%i1] : memref<?xf32, #global>
      %b1 = memref.load %y[%i1] : memref<?xf32, #global>
      %s1 = arith.addf %a1, %b1 : f32
      memref.store %s1, %y[%i1] : memref<?xf32, #global>
      memref.store %b1, %x[%i1] : memref<?xf32, #global>
      %a2 = memref.load %x[%i2] : memref<?xf32, #global>
      %b2 = memref.load %y[%i2] : memref<?xf32, #global>
      %s2 = arith.addf %a2, %b2 : f32
      memref.store %s2, %y[%i2] : memref<?xf32, #global>
      memref.store %b2, %x[%i2] : memref<?xf32, #global>
      %a3 = memref.load %x[%i3] : memref<?xf32, #global>
      %b3 = memref.load %y[%i3] : memref<?xf32, #global>
      %s3 = arith.addf %a3, %b3 : f32
      memref.store %s3, %y[%i3] : memref<?xf32, #global>
      memref.store %b3, %x[%i3] : memref<?xf32, #global>
      gpu.return
    }
  }
  func.func @main() { return }
}
