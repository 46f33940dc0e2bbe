// Each module becomes an image with what the host has to know of its kernels.
// RUN: arr-opt %s --arrc-gpu-to-ptx | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  // CHECK: gpu.binary @f_kernels32 {arrc.index_bits = 32 : i32, arrc.kernels = {f_1 = "p4ox", f_2 = "p"}}
  // CHECK-SAME: [#gpu.object<#nvvm.target<O = 3, chip = "sm_90">, assembly = "
  // CHECK: gpu.binary @f_kernels64 {arrc.index_bits = 64 : i32, arrc.kernels = {f_1 = "p8ox"}}
  // CHECK-NOT: gpu.module
  gpu.module @f_kernels32 attributes {arrc.index_bits = 32 : i32} {
    gpu.func @f_1(%p: memref<1xi64, #global>, %n: index, %o: index, %x: index) kernel attributes {arrc.args = "p4ox"} {
      gpu.return
    }
    gpu.func @f_2(%p: memref<1xi64, #global>) kernel attributes {arrc.args = "p"} {
      gpu.return
    }
  }
  gpu.module @f_kernels64 attributes {arrc.index_bits = 64 : i32} {
    gpu.func @f_1(%p: memref<1xi64, #global>, %n: index, %o: index, %x: index) kernel attributes {arrc.args = "p8ox"} {
      gpu.return
    }
  }
}
