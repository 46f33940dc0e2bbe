// A private array in a loop takes its place once. One with constant indices is
// registers.
// RUN: arr-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-prepare-kernels))' | FileCheck %s --check-prefix=PREPARED
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
#private = #gpu.address_space<private>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_80"}>} {
  gpu.module @kernels {
    // PREPARED: gpu.func @indexed
    // PREPARED-NEXT: memref.alloca
    // PREPARED: cf.br
    // CHECK-LABEL: .entry indexed(
    // CHECK: .local .align 4 .b8 {{.*}}[64]
    // CHECK-NOT: alloca
    gpu.func @indexed(%p: memref<1xf32, #global>, %n: index, %k: index) kernel attributes {arrc.args = "p88"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      scf.for %i = %c0 to %n step %c1 {
        %a = memref.alloca() : memref<16xf32, #private>
        memref.store %x, %a[%i] : memref<16xf32, #private>
        %y = memref.load %a[%k] : memref<16xf32, #private>
        memref.store %y, %p[%c0] : memref<1xf32, #global>
      }
      gpu.return
    }
    // CHECK-LABEL: .entry constant(
    // CHECK-NOT: .local
    gpu.func @constant(%p: memref<1xf32, #global>) kernel attributes {arrc.args = "p"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = memref.alloca() : memref<2xf32, #private>
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      memref.store %x, %a[%c0] : memref<2xf32, #private>
      memref.store %x, %a[%c1] : memref<2xf32, #private>
      %y = memref.load %a[%c0] : memref<2xf32, #private>
      %z = memref.load %a[%c1] : memref<2xf32, #private>
      %s = arith.addf %y, %z : f32
      memref.store %s, %p[%c0] : memref<1xf32, #global>
      gpu.return
    }
  }
}
