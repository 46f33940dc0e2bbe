// A kernel that needs a library of functions, and one that does not.
// RUN: not arr-opt %s --arrc-gpu-to-ptx=libdevice=%t.bc 2>&1 | FileCheck %s
// RUN: sed s/math.exp/math.sqrt/ %s | arr-opt --arrc-gpu-to-ptx=libdevice=%t.bc | FileCheck %s --check-prefix=EXACT
// CUDA_HOME comes first; what is there has to be a library.
// RUN: rm -rf %t.home && mkdir -p %t.home/nvvm/libdevice && echo no > %t.home/nvvm/libdevice/libdevice.10.bc
// RUN: env CUDA_HOME=%t.home not arr-opt %s --arrc-gpu-to-ptx 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: error: cannot read the library '{{.*}}.home/nvvm/libdevice/libdevice.10.bc'
// CHECK: error: a kernel needs a library of functions: there is no library '{{.*}}.bc'
// EXACT: gpu.binary @kernels
// EXACT-SAME: sqrt.rn.f32
module @no_library attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    gpu.func @f(%p: memref<1xf32, #gpu.address_space<global>>) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<global>>
      %y = math.exp %x : f32
      memref.store %y, %p[%c0] : memref<1xf32, #gpu.address_space<global>>
      gpu.return
    }
  }
}
