// The stores of the interior stay together although the boundary ends with the
// same store: LLVM would sink that one into the block behind both.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // CHECK-LABEL: .entry scale(
  // CHECK: ld.global.nc.v4.b32
  // CHECK: st.global.v4.b32
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    gpu.func @scale(%x1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %a: f32, %n: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c1024 = arith.constant 1024 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %b, %c1024 overflow<nsw> : index
      %mine = arith.muli %t, %c4 overflow<nsw> : index
      %i = arith.addi %first, %mine overflow<nsw> : index
      %end = arith.addi %first, %c1024 overflow<nsw> : index
      %interior = arith.cmpi sle, %end, %n : index
      scf.if %interior {
        %i1 = arith.addi %i, %c1 overflow<nsw> : index
        %i2 = arith.addi %i, %c2 overflow<nsw> : index
        %i3 = arith.addi %i, %c3 overflow<nsw> : index
        %v0 = memref.load %x[%i] : memref<?xf32, #global>
        %v1 = memref.load %x[%i1] : memref<?xf32, #global>
        %v2 = memref.load %x[%i2] : memref<?xf32, #global>
        %v3 = memref.load %x[%i3] : memref<?xf32, #global>
        %r0 = arith.mulf %a, %v0 : f32
        %r1 = arith.mulf %a, %v1 : f32
        %r2 = arith.mulf %a, %v2 : f32
        %r3 = arith.mulf %a, %v3 : f32
        memref.store %r0, %y[%i] : memref<?xf32, #global>
        memref.store %r1, %y[%i1] : memref<?xf32, #global>
        memref.store %r2, %y[%i2] : memref<?xf32, #global>
        memref.store %r3, %y[%i3] : memref<?xf32, #global>
      } else {
        scf.for %k = %c0 to %c4 step %c1 {
          %j = arith.addi %i, %k overflow<nsw> : index
          %in = arith.cmpi slt, %j, %n : index
          scf.if %in {
            %v = memref.load %x[%j] : memref<?xf32, #global>
            %r = arith.mulf %a, %v : f32
            memref.store %r, %y[%j] : memref<?xf32, #global>
          }
        }
      }
      gpu.return
    }
  }
}
