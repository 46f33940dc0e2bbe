// Every update that the target takes is one instruction: no loop that compares
// and swaps, least of all for sums of floats.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s --implicit-check-not=cas
#global = #gpu.address_space<global>
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_75"}>} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry integers(
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.add.u32
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.and.b32
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.or.b32
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.xor.b32
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.max.s32
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.min.u32
    gpu.func @integers(%p: memref<1xi32, #global>, %v: i32) kernel attributes {arrc.args = "p4"} {
      %c0 = arith.constant 0 : index
      %0 = memref.atomic_rmw addi %v, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      %1 = memref.atomic_rmw andi %v, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      %2 = memref.atomic_rmw ori %v, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      %3 = memref.atomic_rmw xori %v, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      %4 = memref.atomic_rmw maxs %v, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      %5 = memref.atomic_rmw minu %v, %p[%c0] : (i32, memref<1xi32, #global>) -> i32
      gpu.return
    }
    // CHECK-LABEL: .entry wide(
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.add.u64
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.max.s64
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.exch.b64
    gpu.func @wide(%p: memref<1xi64, #global>, %v: i64) kernel attributes {arrc.args = "p8"} {
      %c0 = arith.constant 0 : index
      %0 = memref.atomic_rmw addi %v, %p[%c0] : (i64, memref<1xi64, #global>) -> i64
      %1 = memref.atomic_rmw maxs %v, %p[%c0] : (i64, memref<1xi64, #global>) -> i64
      %2 = memref.atomic_rmw assign %v, %p[%c0] : (i64, memref<1xi64, #global>) -> i64
      gpu.return
    }
    // CHECK-LABEL: .entry floats(
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.add.f32
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.global.add.f64
    // CHECK: {{atom|red}}{{(.relaxed.gpu)?}}.shared.add.f32
    gpu.func @floats(%p: memref<1xf32, #global>, %q: memref<1xf64, #global>, %v: f32, %w: f64) kernel attributes {arrc.args = "pp48"} {
      %c0 = arith.constant 0 : index
      %0 = memref.atomic_rmw addf %v, %p[%c0] : (f32, memref<1xf32, #global>) -> f32
      %1 = memref.atomic_rmw addf %w, %q[%c0] : (f64, memref<1xf64, #global>) -> f64
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #shared>
      %s = memref.view %bytes[%c0][] : memref<?xi8, #shared> to memref<1xf32, #shared>
      %2 = memref.atomic_rmw addf %v, %s[%c0] : (f32, memref<1xf32, #shared>) -> f32
      gpu.return
    }
  }
}
