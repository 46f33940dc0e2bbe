// Divisions by roots that may be approximate are products with reciprocal roots.
// RUN: arr-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-invert-roots))' | FileCheck %s
#global = #gpu.address_space<global>
gpu.module @kernels {
  // Exact ones, other products, f64.
  // CHECK-LABEL: gpu.func @no_others
  // CHECK-NOT: rsqrt
  // CHECK: gpu.return
  gpu.func @no_others(%p: memref<?xf32, #global>, %q: memref<?xf64, #global>, %x: f32, %y: f32, %d: f64) kernel {
    %c0 = arith.constant 0 : index
    %s = math.sqrt %y : f32
    %0 = arith.divf %x, %s fastmath<fast> : f32
    %t = math.sqrt %y fastmath<fast> : f32
    %1 = arith.divf %0, %t : f32
    %m = arith.mulf %x, %t fastmath<fast> : f32
    %2 = arith.divf %1, %m fastmath<fast> : f32
    %n = arith.mulf %y, %t : f32
    %3 = arith.divf %2, %n fastmath<fast> : f32
    memref.store %3, %p[%c0] : memref<?xf32, #global>
    %u = math.sqrt %d fastmath<fast> : f64
    %4 = arith.divf %d, %u fastmath<fast> : f64
    memref.store %4, %q[%c0] : memref<?xf64, #global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @root
  // CHECK-SAME: %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32)
  // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[Y]])
  // CHECK: arith.mulf %[[X]], %[[R]] fastmath<fast>
  // CHECK-NOT: math.sqrt
  // CHECK-NOT: arith.divf
  gpu.func @root(%p: memref<?xf32, #global>, %x: f32, %y: f32) kernel {
    %c0 = arith.constant 0 : index
    %s = math.sqrt %y fastmath<fast> : f32
    %0 = arith.divf %x, %s fastmath<fast> : f32
    memref.store %0, %p[%c0] : memref<?xf32, #global>
    gpu.return
  }

  // A number that is never subnormal.
  // CHECK-LABEL: gpu.func @far_from_0
  // CHECK: %[[D:.*]] = math.fma
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%[[D]])
  gpu.func @far_from_0(%p: memref<?xf32, #global>, %x: f32, %y: f32) kernel {
    %c0 = arith.constant 0 : index
    %e = arith.constant 1.0e-6 : f32
    %a = math.absf %x : f32
    %b = arith.maximumf %a, %e : f32
    %d = math.fma %y, %y, %b : f32
    %s = math.sqrt %d fastmath<fast> : f32
    %0 = arith.divf %x, %s fastmath<fast> : f32
    memref.store %0, %p[%c0] : memref<?xf32, #global>
    gpu.return
  }

  // The root stays where it is needed.
  // CHECK-LABEL: gpu.func @force
  // CHECK-SAME: %[[X:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]: f32)
  // CHECK: %[[S:.*]] = math.sqrt %[[Y]]
  // CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[Y]])
  // CHECK: %[[R2:.*]] = arith.mulf %[[R]], %[[R]]
  // CHECK: %[[R3:.*]] = arith.mulf %[[R2]], %[[R]]
  // CHECK: %[[Q:.*]] = arith.mulf %[[X]], %[[R3]]
  // CHECK: arith.addf %[[Q]], %[[S]]
  // CHECK-NOT: arith.divf
  gpu.func @force(%p: memref<?xf32, #global>, %x: f32, %y: f32) kernel {
    %c0 = arith.constant 0 : index
    %s = math.sqrt %y fastmath<fast> : f32
    %d = arith.mulf %s, %y fastmath<fast> : f32
    %0 = arith.divf %x, %d fastmath<fast> : f32
    %1 = arith.addf %0, %s : f32
    memref.store %1, %p[%c0] : memref<?xf32, #global>
    gpu.return
  }
}
