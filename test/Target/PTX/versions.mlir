// The least version of PTX that knows the card, so that old drivers take it.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s -DVERSION=7.0 -DARCH=sm_75
// RUN: sed s/sm_75/sm_86/ %s > %t.86.mlir
// RUN: arrc build %t.86.mlir --target=cuda --emit=ptx -o - | FileCheck %s -DVERSION=7.1 -DARCH=sm_86
// RUN: sed s/sm_75/sm_100/ %s > %t.100.mlir
// RUN: arrc build %t.100.mlir --target=cuda --emit=ptx -o - | FileCheck %s -DVERSION=8.6 -DARCH=sm_100
// RUN: sed s/sm_75/sm_120/ %s > %t.120.mlir
// RUN: arrc build %t.120.mlir --target=cuda --emit=ptx -o - | FileCheck %s -DVERSION=8.7 -DARCH=sm_120
// CHECK: .version [[VERSION]]
// CHECK-NEXT: .target [[ARCH]]
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_75"}>} {
  gpu.module @kernels {
    gpu.func @f() kernel attributes {arrc.args = ""} {
      gpu.return
    }
  }
}
