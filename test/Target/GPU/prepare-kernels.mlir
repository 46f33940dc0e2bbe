// What the conversion to LLVM does not know is expanded: functions of small
// floats in f32, bf16 in f32, strided views, structured control flow; private
// arrays go to the entry.
// RUN: arr-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-prepare-kernels))' | FileCheck %s
#global = #gpu.address_space<global>
#private = #gpu.address_space<private>
module {
  // CHECK: gpu.module @kernels attributes {arrc.kernels = {array = "p8", functions = "ph", views = "p8"}}
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @functions
    // CHECK: arith.extf {{.*}} : f16 to f32
    // CHECK: math.sin {{.*}} : f32
    // CHECK: arith.truncf {{.*}} : f32 to f16
    // CHECK: math.fma {{.*}} : f32
    gpu.func @functions(%p: memref<1xf16, #global>, %a: f16) kernel attributes {arrc.args = "ph"} {
      %c0 = arith.constant 0 : index
      %x = memref.load %p[%c0] : memref<1xf16, #global>
      %s = math.sin %x : f16
      %f = math.fma %s, %a, %x : f16
      memref.store %f, %p[%c0] : memref<1xf16, #global>
      gpu.return
    }
    // CHECK-LABEL: gpu.func @views
    // CHECK-NOT: scf.if
    // CHECK: cf.cond_br
    gpu.func @views(%p: memref<1xf32, #global>, %n: index) kernel attributes {arrc.args = "p8"} {
      %c0 = arith.constant 0 : index
      %v = memref.reinterpret_cast %p to offset: [0], sizes: [%n], strides: [1] : memref<1xf32, #global> to memref<?xf32, #global>
      %b = gpu.block_id x
      %in = arith.cmpi slt, %b, %n : index
      scf.if %in {
        %x = memref.load %v[%b] : memref<?xf32, #global>
        %y = arith.addf %x, %x : f32
        memref.store %y, %v[%b] : memref<?xf32, #global>
      }
      gpu.return
    }
    // CHECK-LABEL: gpu.func @array
    // CHECK: memref.alloca() : memref<4xf32
    // CHECK: cf.br
    gpu.func @array(%p: memref<1xf32, #global>, %n: index) kernel attributes {arrc.args = "p8"} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %a = memref.alloca() : memref<4xf32, #private>
        %x = memref.load %a[%c1] : memref<4xf32, #private>
        memref.store %x, %p[%c0] : memref<1xf32, #global>
      }
      gpu.return
    }
  }
}
