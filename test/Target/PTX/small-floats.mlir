// bf16 lies in memory as bits and is computed in f32, rounded after every
// operation; f16 is computed as such, but its fused product is one of f32 that is
// rounded again, as the language says.
// RUN: arrc build %s --target=cuda --emit=ptx -o - | FileCheck %s
#global = #gpu.address_space<global>
module attributes {gpu.container_module, kernel.device = #kernel.device<"cuda", {arch = "sm_75"}>} {
  gpu.module @kernels {
    // CHECK-LABEL: .entry brain(
    // CHECK: ld.global{{.*}}.b16
    // CHECK: shl.b32 %{{.*}}, %{{.*}}, 16
    // CHECK: add.rn.f32
    // CHECK: 32767
    // CHECK: mul.rn.f32
    // CHECK: 32767
    // CHECK: st.global.b16
    gpu.func @brain(%p: memref<1xbf16, #global>, %bits: i16) kernel attributes {arrc.args = "p2"} {
      %c0 = arith.constant 0 : index
      %a = arith.bitcast %bits : i16 to bf16
      %one = arith.constant 1.5 : bf16
      %x = memref.load %p[%c0] : memref<1xbf16, #global>
      %y = arith.addf %x, %one : bf16
      %z = arith.mulf %y, %a : bf16
      memref.store %z, %p[%c0] : memref<1xbf16, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry half(
    // CHECK: add.rn.f16
    // CHECK: fma.rn.f32
    // CHECK: cvt.rn.f16.f32
    gpu.func @half(%p: memref<1xf16, #global>, %a: f16) kernel attributes {arrc.args = "p2"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf16, #global>
      %y = arith.addf %x, %a : f16
      %z = math.fma %y, %a, %x : f16
      memref.store %z, %p[%c0] : memref<1xf16, #global>
      gpu.return
    }
    // CHECK-LABEL: .entry rest(
    // CHECK: cvt.f32.f16
    // CHECK: cvt.rzi.f32.f32
    // CHECK: cvt.rn.f16.f32
    gpu.func @rest(%p: memref<1xf16, #global>, %a: f16) kernel attributes {arrc.args = "p2"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf16, #global>
      %z = arith.remf %x, %a : f16
      memref.store %z, %p[%c0] : memref<1xf16, #global>
      gpu.return
    }
  }
}
