// Where NVIDIA's library is not, LLVM's is used.
// REQUIRES: libclc
// RUN: arr-opt %s --arrc-gpu-to-ptx=libdevice=%libclc | FileCheck %s --implicit-check-not=_Z
// CHECK: gpu.binary @kernels
// CHECK-SAME: .visible .entry f(
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f(%p: memref<1xf32, #global>, %q: memref<1xf64, #global>) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      %e = math.exp %x : f32
      %f = math.erf %e : f32
      %t = math.atan2 %f, %x : f32
      memref.store %t, %p[%c0] : memref<1xf32, #global>
      %y = memref.load %q[%c0] : memref<1xf64, #global>
      %s = math.sin %y : f64
      %w = math.powf %s, %y : f64
      memref.store %w, %q[%c0] : memref<1xf64, #global>
      gpu.return
    }
  }
}
