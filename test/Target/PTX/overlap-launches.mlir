// From sm_90 on kernels wait for the launch before in front of their first
// access and let the next one in at their end; the host is told.
// RUN: arr-opt %s --split-input-file --gpu-overlap-launches | FileCheck %s --check-prefix=MARK
// RUN: arr-opt %s --split-input-file --gpu-overlap-launches --arrc-gpu-to-ptx | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s
// RUN: arr-opt %s --split-input-file --gpu-overlap-launches --arrc-gpu-to-ptx="O=0" | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s
#global = #gpu.address_space<global>
// MARK-LABEL: module @hopper
// CHECK-LABEL: module @hopper
module @hopper attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // MARK: gpu.module @one attributes {arrc.index_bits = 32 : i32, arrc.overlaps}
  // CHECK: gpu.binary @one {arrc.index_bits = 32 : i32, arrc.kernels = {f = "pp44"}, arrc.overlaps}
  gpu.module @one attributes {arrc.index_bits = 32 : i32} {
    // The place of the element may be found before; threads that have none wait,
    // too.
    // CHECK-LABEL: .entry f(
    // CHECK-NOT: ld.global
    // CHECK-NOT: bra
    // CHECK: griddepcontrol.wait;
    // CHECK-NOT: griddepcontrol.wait;
    // CHECK: ld.global
    // CHECK: st.global
    // CHECK-NOT: griddepcontrol
    // CHECK: ret;
    gpu.func @f(%p: memref<1xf32, #global> {llvm.noalias}, %q: memref<1xf32, #global> {llvm.noalias}, %n: index, %o: index) kernel attributes {arrc.args = "pp44"} {
      %from = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %to = memref.reinterpret_cast %q to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %b = gpu.block_id x
      %i = arith.addi %b, %o : index
      %in = arith.cmpi slt, %i, %n : index
      scf.if %in {
        %v = memref.load %from[%i] : memref<?xf32, #global>
        memref.store %v, %to[%i] : memref<?xf32, #global>
      }
      gpu.return
    }
  }
  // Every kernel of a module; without a branch loads are in the same block.
  // CHECK: gpu.binary @two
  gpu.module @two {
    // CHECK-LABEL: .entry g(
    // CHECK-NOT: ld.global
    // CHECK: griddepcontrol.wait;
    // CHECK: ld.global
    gpu.func @g(%p: memref<1xf32, #global> {llvm.noalias}, %q: memref<1xf32, #global> {llvm.noalias}) kernel attributes {arrc.args = "pp"} {
      %c0 = arith.constant 0 : index
      %v = memref.load %p[%c0] : memref<1xf32, #global>
      memref.store %v, %q[%c0] : memref<1xf32, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry h(
    // CHECK: griddepcontrol.wait;
    // CHECK: atom.{{.*}}global
    // CHECK-NOT: griddepcontrol
    // CHECK: ret;
    gpu.func @h(%p: memref<1xi32, #global>, %q: memref<1xi32, #global>) kernel attributes {arrc.args = "pp"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %v = memref.atomic_rmw addi %c1, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      memref.store %v, %q[%c0] : memref<1xi32, #global>
      gpu.return
    }
  }
}

// -----

// MARK-LABEL: module @blackwell
// MARK: arrc.overlaps
module @blackwell attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_100a"}>} {
  gpu.module @kernels {
    gpu.func @f() kernel attributes {arrc.args = ""} {
      gpu.return
    }
  }
}

// -----

// Older cards cannot.
// MARK-LABEL: module @ada
// MARK-NOT: arrc.overlaps
// CHECK-LABEL: module @ada
// CHECK-NOT: griddepcontrol
module @ada attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_89"}>} {
  gpu.module @kernels {
    gpu.func @f() kernel attributes {arrc.args = ""} {
      gpu.return
    }
  }
}

// -----

// MARK-LABEL: module @elsewhere
// MARK-NOT: arrc.overlaps
// CHECK-LABEL: module @elsewhere
module @elsewhere attributes {kernel.device = #kernel.device<"opencl", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f() kernel attributes {arrc.args = ""} {
      gpu.return
    }
  }
}
