// What is joined to vectors stays inside of what is read: the fourth of three
// elements may lie outside of the array.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    // CHECK-LABEL: .entry three(
    // CHECK: ld.global.nc.v2.b16
    // CHECK: ld.global.nc.b16 {{.*}}+4]
    // CHECK-NOT: ld.global
    gpu.func @three(%x1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c8 overflow<nsw> : index
      %i1 = arith.addi %i, %c1 overflow<nsw> : index
      %i2 = arith.addi %i, %c2 overflow<nsw> : index
      %v0 = memref.load %x[%i] : memref<?xf16, #global>
      %v1 = memref.load %x[%i1] : memref<?xf16, #global>
      %v2 = memref.load %x[%i2] : memref<?xf16, #global>
      %a = arith.mulf %v0, %v1 : f16
      %b = arith.mulf %a, %v2 : f16
      memref.store %b, %y[%t] : memref<?xf16, #global>
      gpu.return
    }
    // Seven of eight: four, two and one.
    // CHECK-LABEL: .entry seven(
    // CHECK: ld.global.nc.v4.b16
    // CHECK: ld.global.nc.v2.b16 {{.*}}+8]
    // CHECK: ld.global.nc.b16 {{.*}}+12]
    // CHECK-NOT: ld.global
    gpu.func @seven(%x1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %one = arith.constant 1.0 : f16
      %t = gpu.thread_id x
      %i = arith.muli %t, %c8 overflow<nsw> : index
      %s = scf.for %k = %c0 to %c7 step %c1 iter_args(%p = %one) -> (f16) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xf16, #global>
        %q = arith.mulf %p, %v : f16
        scf.yield %q : f16
      }
      memref.store %s, %y[%t] : memref<?xf16, #global>
      gpu.return
    }
    // What lies between two elements that are read is part of the array: one
    // vector where nobody writes to it, else its elements.
    // CHECK-LABEL: .entry gap(
    // CHECK: ld.global.nc.v4.b32
    // CHECK-NOT: ld.global.nc
    // CHECK-DAG: ld.global.v2.b32 {{.*}}[%rd{{[0-9]+}}]
    // CHECK-DAG: ld.global.b32 {{.*}}+12]
    // CHECK-NOT: ld.global
    // CHECK: st.global
    gpu.func @gap(%x1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %i = arith.muli %t, %c4 overflow<nsw> : index
      %i1 = arith.addi %i, %c1 overflow<nsw> : index
      %i2 = arith.addi %i, %c2 overflow<nsw> : index
      %i3 = arith.addi %i, %c3 overflow<nsw> : index
      %v0 = memref.load %x[%i] : memref<?xf32, #global>
      %v1 = memref.load %x[%i1] : memref<?xf32, #global>
      %v3 = memref.load %x[%i3] : memref<?xf32, #global>
      %w0 = memref.load %y[%i] : memref<?xf32, #global>
      %w1 = memref.load %y[%i1] : memref<?xf32, #global>
      %w3 = memref.load %y[%i3] : memref<?xf32, #global>
      %a = arith.mulf %v0, %v1 : f32
      %b = arith.mulf %a, %v3 : f32
      %c = arith.mulf %w0, %w1 : f32
      %d = arith.mulf %c, %w3 : f32
      %e = arith.addf %b, %d : f32
      memref.store %e, %y[%i2] : memref<?xf32, #global>
      gpu.return
    }
  }
}
