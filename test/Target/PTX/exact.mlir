// Square roots and quotients are correctly rounded; products and sums fuse where
// the program allows it and nowhere else.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s --implicit-check-not=approx --implicit-check-not=.ftz
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_80"}>} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry single(
    // CHECK: sqrt.rn.f32
    // CHECK: div.rn.f32
    // CHECK-NOT: fma
    // CHECK: mul.rn.f32
    // CHECK: add.rn.f32
    gpu.func @single(%p: memref<1xf32, #global>, %a: f32) kernel attributes {arrc.args = "p4"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      %s = math.sqrt %x : f32
      %q = arith.divf %s, %a : f32
      %m = arith.mulf %q, %q : f32
      %r = arith.addf %m, %x : f32
      memref.store %r, %p[%c0] : memref<1xf32, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry double(
    // CHECK: sqrt.rn.f64
    // CHECK: div.rn.f64
    gpu.func @double(%p: memref<1xf64, #global>, %a: f64) kernel attributes {arrc.args = "p8"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf64, #global>
      %s = math.sqrt %x : f64
      %q = arith.divf %s, %a : f64
      memref.store %q, %p[%c0] : memref<1xf64, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry contracted(
    // CHECK: fma.rn.f32
    // CHECK: fma.rn.f32
    gpu.func @contracted(%p: memref<1xf32, #global>, %a: f32) kernel attributes {arrc.args = "p4"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      %m = arith.mulf %a, %x fastmath<contract> : f32
      %r = arith.addf %m, %x fastmath<contract> : f32
      %f = math.fma %r, %a, %x : f32
      memref.store %f, %p[%c0] : memref<1xf32, #global>
      gpu.return
    }
  }
}
