// Neighbours of 8 and 16 bits that begin anywhere are read by the words that hold
// them, each once, and shifted; nothing else is.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
// RUN: arr-opt %s --arrc-gpu-to-ptx=words=false | FileCheck %s --check-prefix=OFF
// OFF-NOT: prmt.b32.f4e
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    // Nine bytes lie in three words wherever they begin.
    // CHECK-LABEL: .entry bytes(
    // CHECK: and.b64 {{.*}}, -4;
    // CHECK-COUNT-3: ld.global.nc.b32
    // CHECK-NOT: ld.global
    // CHECK-COUNT-2: prmt.b32.f4e
    // CHECK: st.global
    gpu.func @bytes(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi32, #global> to memref<?xi32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 9 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %f = arith.constant 1 : index
      %b = arith.muli %t, %f overflow<nsw> : index
      %i = arith.addi %b, %m overflow<nsw> : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (i32) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xi8, #global>
        %w = arith.extui %v : i8 to i32
        %q = arith.addi %p, %w : i32
        scf.yield %q : i32
      }
      memref.store %s, %y[%t] : memref<?xi32, #global>
      gpu.return
    }
    // Ten in three or four: the fourth is the one that holds the last byte, not
    // the one behind the third.
    // CHECK-LABEL: .entry more(
    // CHECK: and.b64 [[BEGIN:%rd[0-9]+]], {{.*}}, -4;
    // CHECK-COUNT-3: ld.global.nc.b32 {{.*}}[[[BEGIN]]
    // CHECK: and.b64 [[LAST:%rd[0-9]+]], {{.*}}, -4;
    // CHECK: ld.global.nc.b32 {{.*}}[[[LAST]]];
    // CHECK-NOT: ld.global
    // CHECK: st.global
    gpu.func @more(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi32, #global> to memref<?xi32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 10 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %f = arith.constant 1 : index
      %b = arith.muli %t, %f overflow<nsw> : index
      %i = arith.addi %b, %m overflow<nsw> : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (i32) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xi8, #global>
        %w = arith.extui %v : i8 to i32
        %q = arith.addi %p, %w : i32
        scf.yield %q : i32
      }
      memref.store %s, %y[%t] : memref<?xi32, #global>
      gpu.return
    }
    // Nothing is known of the sums that make the indices.
    // CHECK-LABEL: .entry wrapping(
    // CHECK: and.b64 {{.*}}, -4;
    // CHECK-COUNT-3: ld.global.nc.b32
    // CHECK-NOT: ld.global
    // CHECK-COUNT-2: prmt.b32.f4e
    // CHECK: st.global
    gpu.func @wrapping(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi32, #global> to memref<?xi32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 9 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %f = arith.constant 1 : index
      %b = arith.muli %t, %f : index
      %i = arith.addi %b, %m : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (i32) {
        %at = arith.addi %i, %k : index
        %v = memref.load %x[%at] : memref<?xi8, #global>
        %w = arith.extui %v : i8 to i32
        %q = arith.addi %p, %w : i32
        scf.yield %q : i32
      }
      memref.store %s, %y[%t] : memref<?xi32, #global>
      gpu.return
    }
    // An odd number of halves lies in half as many words.
    // CHECK-LABEL: .entry halves(
    // CHECK-COUNT-6: ld.global.nc.b32
    // CHECK-NOT: ld.global
    // CHECK: st.global
    gpu.func @halves(%x1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 11 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %f = arith.constant 1 : index
      %b = arith.muli %t, %f overflow<nsw> : index
      %i = arith.addi %b, %m overflow<nsw> : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (f32) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xf16, #global>
        %w = arith.extf %v : f16 to f32
        %q = arith.addf %p, %w : f32
        scf.yield %q : f32
      }
      memref.store %s, %y[%t] : memref<?xf32, #global>
      gpu.return
    }
    // Two words in place of three bytes do not pay.
    // CHECK-LABEL: .entry few(
    // CHECK-COUNT-3: ld.global.nc.b8
    // CHECK-NOT: ld.global
    // CHECK: st.global
    gpu.func @few(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi32, #global> to memref<?xi32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 3 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %f = arith.constant 1 : index
      %b = arith.muli %t, %f overflow<nsw> : index
      %i = arith.addi %b, %m overflow<nsw> : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (i32) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xi8, #global>
        %w = arith.extui %v : i8 to i32
        %q = arith.addi %p, %w : i32
        scf.yield %q : i32
      }
      memref.store %s, %y[%t] : memref<?xi32, #global>
      gpu.return
    }
    // Where words begin is known: vectors.
    // CHECK-LABEL: .entry aligned(
    // CHECK-NOT: prmt.b32.f4e
    // CHECK: st.global
    gpu.func @aligned(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xi32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi32, #global> to memref<?xi32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 8 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %f = arith.constant 4 : index
      %i = arith.muli %t, %f overflow<nsw> : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (i32) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xi8, #global>
        %w = arith.extui %v : i8 to i32
        %q = arith.addi %p, %w : i32
        scf.yield %q : i32
      }
      memref.store %s, %y[%t] : memref<?xi32, #global>
      gpu.return
    }
    // What the kernel writes may change between the loads.
    // CHECK-LABEL: .entry written(
    // CHECK-COUNT-9: ld.global.b8
    // CHECK: st.global
    gpu.func @written(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias}, %y1: memref<1xi32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi32, #global> to memref<?xi32, #global>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %last = arith.constant 9 : index
      %zero = arith.constant 0 : i32
      %t = gpu.thread_id x
      %f = arith.constant 1 : index
      %b = arith.muli %t, %f overflow<nsw> : index
      %i = arith.addi %b, %m overflow<nsw> : index
      %s = scf.for %k = %c0 to %last step %c1 iter_args(%p = %zero) -> (i32) {
        %at = arith.addi %i, %k overflow<nsw> : index
        %v = memref.load %x[%at] : memref<?xi8, #global>
        %w = arith.extui %v : i8 to i32
        %q = arith.addi %p, %w : i32
        scf.yield %q : i32
      }
      memref.store %s, %y[%t] : memref<?xi32, #global>
      %z = arith.constant 0 : i8
      memref.store %z, %x[%t] : memref<?xi8, #global>
      gpu.return
    }
  }
}
