// exp and tanh in f64 are straight lines of code, whatever the number; those of
// two elements need no library, and run side by side.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s --implicit-check-not=__nv_ --implicit-check-not=.extern
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_80"}>} {
gpu.module @kernels {
  // CHECK-LABEL: .entry exponential(
  // CHECK-NOT: bra
  // CHECK-COUNT-26: fma.rn.f64
  // CHECK-NOT: bra
  // CHECK: st.global
  // CHECK: ret;
  gpu.func @exponential(%p: memref<2xf64, #global>, %x: f64, %y: f64) kernel attributes {arrc.args = "p88"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = math.exp %x : f64
    %1 = math.exp %y : f64
    memref.store %0, %p[%c0] : memref<2xf64, #global>
    memref.store %1, %p[%c1] : memref<2xf64, #global>
    gpu.return
  }

  // CHECK-LABEL: .entry tangent(
  // CHECK-NOT: bra
  // CHECK: rcp.approx.ftz.f64
  // CHECK-NOT: {{bra|div}}
  // CHECK: copysign.f64
  // CHECK: ret;
  gpu.func @tangent(%p: memref<2xf64, #global>, %x: f64) kernel attributes {arrc.args = "p8"} {
    %c0 = arith.constant 0 : index
    %0 = math.tanh %x : f64
    memref.store %0, %p[%c0] : memref<2xf64, #global>
    gpu.return
  }
}
}
