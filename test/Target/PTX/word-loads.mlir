// Neighbouring bytes that begin anywhere are parts of the aligned words that hold
// them: two of these and a permutation for four bytes.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    // CHECK-LABEL: .entry anywhere(
    // CHECK: and.b64 [[FIRST:%rd[0-9]+]], [[AT:%rd[0-9]+]], -4;
    // CHECK: ld.global.nc.b32 [[A:%r[0-9]+]], {{\[}}[[FIRST]]];
    // CHECK: add.s64 [[END:%rd[0-9]+]], [[AT]], 3;
    // CHECK: and.b64 [[LAST:%rd[0-9]+]], [[END]], -4;
    // CHECK: ld.global.nc.b32 [[B:%r[0-9]+]], {{\[}}[[LAST]]];
    // CHECK: cvt.u32.u64 [[BY:%r[0-9]+]], [[AT]];
    // CHECK: prmt.b32.f4e {{%r[0-9]+}}, [[A]], [[B]], [[BY]];
    // CHECK-NOT: ld.global
    gpu.func @anywhere(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %n overflow<nsw> : index
      %i1 = arith.addi %i, %c1 overflow<nsw> : index
      %i2 = arith.addi %i, %c2 overflow<nsw> : index
      %i3 = arith.addi %i, %c3 overflow<nsw> : index
      %v0 = memref.load %x[%i] : memref<?xi8, #global>
      %v1 = memref.load %x[%i1] : memref<?xi8, #global>
      %v2 = memref.load %x[%i2] : memref<?xi8, #global>
      %v3 = memref.load %x[%i3] : memref<?xi8, #global>
      %a = arith.xori %v0, %v1 : i8
      %b = arith.muli %v2, %v3 : i8
      %c = arith.muli %a, %b : i8
      memref.store %c, %y[%t] : memref<?xi8, #global>
      gpu.return
    }
    // Two words for two bytes would be no gain, and what others write while the
    // kernel runs is read as it was asked for.
    // CHECK-LABEL: .entry few(
    // CHECK: ld.global.nc.b8
    // CHECK: ld.global.nc.b8
    // CHECK: ld.global.b8
    // CHECK: ld.global.b8
    // CHECK: ld.global.b8
    // CHECK: ld.global.b8
    // CHECK-NOT: ld.global
    gpu.func @few(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %n overflow<nsw> : index
      %i1 = arith.addi %i, %c1 overflow<nsw> : index
      %i2 = arith.addi %i, %c2 overflow<nsw> : index
      %i3 = arith.addi %i, %c3 overflow<nsw> : index
      %v0 = memref.load %x[%i] : memref<?xi8, #global>
      %v1 = memref.load %x[%i1] : memref<?xi8, #global>
      %w0 = memref.load %y[%i] : memref<?xi8, #global>
      %w1 = memref.load %y[%i1] : memref<?xi8, #global>
      %w2 = memref.load %y[%i2] : memref<?xi8, #global>
      %w3 = memref.load %y[%i3] : memref<?xi8, #global>
      %a = arith.muli %v0, %v1 : i8
      %b = arith.muli %w0, %w1 : i8
      %c = arith.muli %w2, %w3 : i8
      %d = arith.xori %a, %b : i8
      %e = arith.muli %c, %d : i8
      memref.store %e, %y[%t] : memref<?xi8, #global>
      gpu.return
    }
    // Where the first is aligned nothing is masked.
    // CHECK-LABEL: .entry aligned(
    // CHECK-NOT: and.b64
    // CHECK: ld.global.nc.b32
    // CHECK: ld.global.nc.v2.b8 {{.*}}+4]
    // CHECK-NOT: ld.global
    gpu.func @aligned(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c8 = arith.constant 8 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c8 overflow<nsw> : index
      %i1 = arith.addi %i, %c1 overflow<nsw> : index
      %i2 = arith.addi %i, %c2 overflow<nsw> : index
      %i3 = arith.addi %i, %c3 overflow<nsw> : index
      %i4 = arith.addi %i, %c4 overflow<nsw> : index
      %i5 = arith.addi %i, %c5 overflow<nsw> : index
      %v0 = memref.load %x[%i] : memref<?xi8, #global>
      %v1 = memref.load %x[%i1] : memref<?xi8, #global>
      %v2 = memref.load %x[%i2] : memref<?xi8, #global>
      %v3 = memref.load %x[%i3] : memref<?xi8, #global>
      %v4 = memref.load %x[%i4] : memref<?xi8, #global>
      %v5 = memref.load %x[%i5] : memref<?xi8, #global>
      %a = arith.muli %v0, %v1 : i8
      %b = arith.muli %v2, %v3 : i8
      %c = arith.muli %v4, %v5 : i8
      %d = arith.muli %a, %b : i8
      %e = arith.xori %c, %d : i8
      memref.store %e, %y[%t] : memref<?xi8, #global>
      gpu.return
    }
  }
}
