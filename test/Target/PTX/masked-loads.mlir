// Narrow elements under conditions of their own are asked for one after the
// other, and nothing is done with the first before the last: what is computed
// with them and their conversions stay behind all of them.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s --check-prefix=BYTES
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels attributes {arrc.index_bits = 32 : i32} {
    // What follows under the same conditions is not joined with the loads.
    // CHECK-LABEL: .entry steps(
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK-NOT: {{sqrt|cvt.*f32}}
    // CHECK: ld.global.nc.b8
    // CHECK-NOT: {{sqrt|cvt.*f32}}
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK-NOT: {{sqrt|cvt.*f32}}
    // CHECK: ld.global.nc.b8
    // CHECK: sqrt
    // Bytes are extended by the load.
    // BYTES-LABEL: .entry steps(
    // BYTES-NOT: , 255
    // BYTES-LABEL: .entry halves(
    gpu.func @steps(%x1: memref<1xi8, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xi8, #global> to memref<?xi8, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %zero = arith.constant 0 : i8
      %none = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %u = arith.addi %t, %m overflow<nsw> : index
      %p = arith.cmpi slt, %t, %n : index
      %q = arith.cmpi slt, %u, %n : index
      %a = scf.if %p -> i8 {
        %v = memref.load %x[%t] : memref<?xi8, #global>
        scf.yield %v : i8
      } else {
        scf.yield %zero : i8
      }
      %b = scf.if %q -> i8 {
        %v = memref.load %x[%u] : memref<?xi8, #global>
        scf.yield %v : i8
      } else {
        scf.yield %zero : i8
      }
      %c = scf.if %p -> f32 {
        %f = arith.uitofp %a : i8 to f32
        %r = math.sqrt %f : f32
        scf.yield %r : f32
      } else {
        scf.yield %none : f32
      }
      %d = scf.if %q -> f32 {
        %f = arith.uitofp %b : i8 to f32
        %r = math.sqrt %f : f32
        %s = arith.addf %c, %r : f32
        scf.yield %s : f32
      } else {
        scf.yield %c : f32
      }
      memref.store %d, %y[%t] : memref<?xf32, #global>
      gpu.return
    }
    // A conversion is not moved into the branches.
    // CHECK-LABEL: .entry halves(
    // CHECK: ld.global.nc.b16
    // CHECK-NOT: cvt.f32.f16
    // CHECK: ld.global.nc.b16
    // CHECK-COUNT-2: cvt.f32.f16
    gpu.func @halves(%x1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %zero = arith.constant 0.0 : f16
      %t = gpu.thread_id x
      %u = arith.addi %t, %m overflow<nsw> : index
      %p = arith.cmpi slt, %t, %n : index
      %q = arith.cmpi slt, %u, %n : index
      %a = scf.if %p -> f16 {
        %v = memref.load %x[%t] : memref<?xf16, #global>
        scf.yield %v : f16
      } else {
        scf.yield %zero : f16
      }
      %b = scf.if %q -> f16 {
        %v = memref.load %x[%u] : memref<?xf16, #global>
        scf.yield %v : f16
      } else {
        scf.yield %zero : f16
      }
      %c = arith.extf %a : f16 to f32
      %d = arith.extf %b : f16 to f32
      %s = arith.addf %c, %d : f32
      memref.store %s, %y[%t] : memref<?xf32, #global>
      gpu.return
    }
    // Neighbours under one condition are one vector.
    // CHECK-LABEL: .entry vector(
    // CHECK: @%p{{[0-9]+}} bra
    // CHECK: ld.global.nc.v{{2.b32|4.b16}}
    // CHECK-NOT: ld.global
    gpu.func @vector(%x1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index) kernel
        attributes {arrc.args = "pp4", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %zero = arith.constant 0.0 : f16
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %p = arith.cmpi slt, %t, %n : index
      %i = arith.muli %t, %c4 overflow<nsw> : index
      %i1 = arith.addi %i, %c1 overflow<nsw> : index
      %i2 = arith.addi %i, %c2 overflow<nsw> : index
      %i3 = arith.addi %i, %c3 overflow<nsw> : index
      %a:4 = scf.if %p -> (f16, f16, f16, f16) {
        %v = memref.load %x[%i] : memref<?xf16, #global>
        %v1 = memref.load %x[%i1] : memref<?xf16, #global>
        %v2 = memref.load %x[%i2] : memref<?xf16, #global>
        %v3 = memref.load %x[%i3] : memref<?xf16, #global>
        scf.yield %v, %v1, %v2, %v3 : f16, f16, f16, f16
      } else {
        scf.yield %zero, %zero, %zero, %zero : f16, f16, f16, f16
      }
      %s = arith.addf %a#0, %a#1 : f16
      %s1 = arith.addf %s, %a#2 : f16
      %s2 = arith.addf %s1, %a#3 : f16
      memref.store %s2, %y[%t] : memref<?xf16, #global>
      gpu.return
    }
    // Wide elements stay in their branches, with what is done with them.
    // CHECK-LABEL: .entry wide(
    // CHECK: ld.global.nc.b32
    // CHECK-NEXT: sqrt
    // CHECK: ld.global.nc.b32
    // CHECK-NEXT: sqrt
    gpu.func @wide(%x1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %y1: memref<1xf32, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "pp44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %y = memref.reinterpret_cast %y1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %zero = arith.constant 0.0 : f32
      %none = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %u = arith.addi %t, %m overflow<nsw> : index
      %p = arith.cmpi slt, %t, %n : index
      %q = arith.cmpi slt, %u, %n : index
      %a = scf.if %p -> f32 {
        %v = memref.load %x[%t] : memref<?xf32, #global>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %b = scf.if %q -> f32 {
        %v = memref.load %x[%u] : memref<?xf32, #global>
        scf.yield %v : f32
      } else {
        scf.yield %zero : f32
      }
      %c = scf.if %p -> f32 {
        %r = math.sqrt %a : f32
        scf.yield %r : f32
      } else {
        scf.yield %none : f32
      }
      %d = scf.if %q -> f32 {
        %r = math.sqrt %b : f32
        %s = arith.addf %c, %r : f32
        scf.yield %s : f32
      } else {
        scf.yield %c : f32
      }
      memref.store %d, %y[%t] : memref<?xf32, #global>
      gpu.return
    }
    // What is loaded under a condition and stored in between stays in order.
    // CHECK-LABEL: .entry ordered(
    // CHECK: ld.global.b16
    // CHECK: st.global.b16
    // CHECK: ld.global.b16
    // CHECK: st.global.b16
    gpu.func @ordered(%x1: memref<1xf16, #global> {llvm.align = 16 : i64, llvm.noalias}, %n: index, %m: index) kernel
        attributes {arrc.args = "p44", known_block_size = array<i32: 256, 1, 1>} {
      %x = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n], strides: [1] : memref<1xf16, #global> to memref<?xf16, #global>
      %zero = arith.constant 0.0 : f16
      %one = arith.constant 1.0 : f16
      %t = gpu.thread_id x
      %p = arith.cmpi slt, %t, %n : index
      %q = arith.cmpi slt, %t, %m : index
      %a = scf.if %p -> f16 {
        %v = memref.load %x[%t] : memref<?xf16, #global>
        scf.yield %v : f16
      } else {
        scf.yield %zero : f16
      }
      %a1 = arith.addf %a, %one : f16
      memref.store %a1, %x[%t] : memref<?xf16, #global>
      %b = scf.if %q -> f16 {
        %v = memref.load %x[%m] : memref<?xf16, #global>
        scf.yield %v : f16
      } else {
        scf.yield %zero : f16
      }
      memref.store %b, %x[%t] : memref<?xf16, #global>
      gpu.return
    }
  }
}
