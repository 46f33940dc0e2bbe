// Functions are linked from libdevice, and nothing else of it; halves are
// computed in single precision.
// REQUIRES: libdevice
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s --implicit-check-not=__nv_ --implicit-check-not=.extern
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry single(
    // CHECK: ex2.approx
    gpu.func @single(%p: memref<1xf32, #global>) kernel attributes {arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      %e = math.exp %x : f32
      %f = math.erf %e : f32
      memref.store %f, %p[%c0] : memref<1xf32, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry approximate(
    // CHECK: lg2.approx
    // CHECK-NOT: fma
    gpu.func @approximate(%p: memref<1xf32, #global>) kernel attributes {arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      %e = math.log %x fastmath<afn> : f32
      memref.store %e, %p[%c0] : memref<1xf32, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry double(
    // CHECK: fma.rn.f64
    gpu.func @double(%p: memref<1xf64, #global>) kernel attributes {arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf64, #global>
      %f = math.exp %x : f64
      memref.store %f, %p[%c0] : memref<1xf64, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry half(
    // CHECK: cvt.f32.f16
    // CHECK: cvt.rn.f16.f32
    gpu.func @half(%p: memref<1xf16, #global>) kernel attributes {arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf16, #global>
      %f = math.sin %x : f16
      memref.store %f, %p[%c0] : memref<1xf16, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry number(
    // CHECK: sqrt.rn.f64
    gpu.func @number(%p: memref<1xcomplex<f64>, #global>) kernel attributes {arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xcomplex<f64>, #global>
      %f = complex.sqrt %x : complex<f64>
      memref.store %f, %p[%c0] : memref<1xcomplex<f64>, #global>
      gpu.return
    }
  }
}
