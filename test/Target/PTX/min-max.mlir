// NaN wins, and the zeros are ordered: one instruction since sm_80, three tests
// more before.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
// RUN: sed s/sm_90/sm_75/ %s > %t.mlir
// RUN: arrc build %t.mlir --target=cuda --emit=ptx -o - | FileCheck %s --check-prefix=OLD
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry extremes(
    // CHECK: min.NaN.f32
    // CHECK: max.NaN.f32
    // CHECK: min.f32
    // CHECK: max.f64
    // CHECK-NOT: call
    // OLD-LABEL: .entry extremes(
    // OLD: setp.nan.f32
    // OLD: min.f32
    // OLD: setp.eq.b32 %{{.*}}, %{{.*}}, -2147483648
    gpu.func @extremes(%p: memref<1xf32, #global>, %q: memref<1xf64, #global>, %a: f32, %b: f64) kernel attributes {arrc.args = "pp48"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf32, #global>
      %y = arith.minimumf %x, %a : f32
      %m = arith.mulf %y, %a : f32
      %z = arith.maximumf %m, %x : f32
      %n = arith.mulf %z, %x : f32
      %w = arith.minnumf %n, %a : f32
      memref.store %w, %p[%c0] : memref<1xf32, #global>
      %u = memref.load %q[%c0] : memref<1xf64, #global>
      %v = arith.maxnumf %u, %b : f64
      memref.store %v, %q[%c0] : memref<1xf64, #global>
      gpu.return
    }
    // Of f64: two comparisons that choose, one for the signs of zeros.
    // CHECK-LABEL: .entry largest(
    // CHECK-DAG: setp.nan.f64
    // CHECK-DAG: setp.gt.f64
    // CHECK-DAG: setp.{{neu|eq}}.f64
    // CHECK-DAG: and.b32
    // CHECK-NOT: setp
    // CHECK-LABEL: .entry least_fast(
    // CHECK: setp.lt.f64
    // CHECK-NOT: setp
    // CHECK: st.global
    gpu.func @largest(%q: memref<1xf64, #global>, %b: f64) kernel attributes {arrc.args = "p8"} {
      %c0 = arith.constant 0 : index
      %u = memref.load %q[%c0] : memref<1xf64, #global>
      %v = arith.maximumf %u, %b : f64
      memref.store %v, %q[%c0] : memref<1xf64, #global>
      gpu.return
    }
    gpu.func @least_fast(%q: memref<1xf64, #global>, %b: f64) kernel attributes {arrc.args = "p8"} {
      %c0 = arith.constant 0 : index
      %u = memref.load %q[%c0] : memref<1xf64, #global>
      %v = arith.minimumf %u, %b fastmath<nnan,nsz> : f64
      memref.store %v, %q[%c0] : memref<1xf64, #global>
      gpu.return
    }
  }
}
