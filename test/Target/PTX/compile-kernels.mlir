// One module alone: its PTX in an attribute of it.
// RUN: arr-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-compile-kernels{arch=sm_80}))' | FileCheck %s
// CHECK: gpu.module @kernels attributes {
// CHECK-SAME: arrc.ptx = "{{.*}}.target sm_80
module {
  gpu.module @kernels {
    gpu.func @f() kernel {
      gpu.return
    }
  }
}
