// Divisions that do not depend on each other are written out together,
// with one test; those by one value share its reciprocal; one alone is left.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_80"}>} {
gpu.module @kernels {
  // CHECK-LABEL: .entry alone(
  // CHECK-NOT: rcp.approx
  // CHECK: div.rn.f64
  // CHECK-NOT: rcp.approx
  // CHECK: ret;
  gpu.func @alone(%p: memref<2xf64, #global>, %x: f64, %y: f64) kernel attributes {arrc.args = "p88"} {
    %c0 = arith.constant 0 : index
    %0 = arith.divf %x, %y : f64
    %1 = arith.divf %0, %y : f64
    memref.store %1, %p[%c0] : memref<2xf64, #global>
    gpu.return
  }

  // Two divisors, three quotients, one branch; the fourth waits for the others
  // and takes a reciprocal that is there.
  // CHECK-LABEL: .entry together(
  // CHECK-COUNT-2: rcp.approx.ftz.f64
  // CHECK-NOT: rcp.approx
  // CHECK: bra
  // CHECK-NOT: rcp.approx
  // CHECK: ret;
  gpu.func @together(%p: memref<2xf64, #global>, %x: f64, %y: f64, %z: f64) kernel attributes {arrc.args = "p888"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.divf %x, %y : f64
    %1 = arith.divf %x, %z : f64
    %2 = arith.divf %z, %y : f64
    %3 = arith.addf %0, %1 : f64
    %4 = arith.divf %3, %y : f64
    memref.store %2, %p[%c0] : memref<2xf64, #global>
    memref.store %4, %p[%c1] : memref<2xf64, #global>
    gpu.return
  }

  // In f32 likewise; what may be approximate is left alone.
  // CHECK-LABEL: .entry single(
  // CHECK-COUNT-2: rcp.approx.ftz.f32
  // CHECK-NOT: rcp.approx
  // CHECK: bra
  // CHECK: ret;
  gpu.func @single(%p: memref<2xf32, #global>, %x: f32, %y: f32, %z: f32) kernel attributes {arrc.args = "p444"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.divf %x, %y : f32
    %1 = arith.divf %x, %z : f32
    memref.store %0, %p[%c0] : memref<2xf32, #global>
    memref.store %1, %p[%c1] : memref<2xf32, #global>
    gpu.return
  }
  // CHECK-LABEL: .entry approximate(
  // CHECK-NOT: rcp.approx
  // CHECK: ret;
  gpu.func @approximate(%p: memref<2xf32, #global>, %x: f32, %y: f32, %z: f32) kernel attributes {arrc.args = "p444"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.divf %x, %y fastmath<afn> : f32
    %1 = arith.divf %x, %z fastmath<afn> : f32
    memref.store %0, %p[%c0] : memref<2xf32, #global>
    memref.store %1, %p[%c1] : memref<2xf32, #global>
    gpu.return
  }
}
}
