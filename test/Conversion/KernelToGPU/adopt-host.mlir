// RUN: arr-opt %s -split-input-file -verify-diagnostics -gpu-adopt-kernels | FileCheck %s

// Kernels that stand where they are launched, tokens, memory of the device, and what
// MLIR's runner prints.
// CHECK-LABEL: func.func @main() -> (memref<6xf32>, memref<6xf32>) attributes {arrc.export
// CHECK-NOT: gpu.host_register
// CHECK-NOT: async
// CHECK: %[[A:.*]] = memref.alloc() : memref<6xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: memref.store %{{.*}}, %[[A]][%[[I]]]
// CHECK: gpu.launch_func @main_kernel::@main_kernel blocks in
// CHECK: %[[FIRST:.*]] = memref.alloc() : memref<6xf32>
// CHECK: memref.copy %[[A]], %[[FIRST]]
// CHECK: gpu.launch_func @main_kernel_0::@main_kernel blocks in
// CHECK: %[[SECOND:.*]] = memref.alloc() : memref<6xf32>
// CHECK: memref.copy %[[A]], %[[SECOND]]
// CHECK: return %[[FIRST]], %[[SECOND]]
// CHECK-NOT: printMemref
func.func @main() {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %half = arith.constant 0.5 : f32
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<6xf32>
  %any = memref.cast %a : memref<6xf32> to memref<*xf32>
  gpu.host_register %any : memref<*xf32>
  %t2 = gpu.memset async [%t1] %a, %half : memref<6xf32>, f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c6, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<6xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%tx] : memref<6xf32>
    gpu.terminator
  }
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  %t3 = gpu.launch async [%t2] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c6, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<6xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %a[%tx] : memref<6xf32>
    gpu.terminator
  }
  gpu.wait [%t3]
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  return
}
func.func private @printMemrefF32(memref<*xf32>)

// -----

// Lanes add up by shuffles.
// CHECK-LABEL: gpu.func @lanes
// CHECK-NOT: gpu.subgroup_reduce
// CHECK-COUNT-5: gpu.shuffle xor
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @lanes(%x: memref<32xf32>) kernel {
      %t = gpu.thread_id x
      %mine = memref.load %x[%t] : memref<32xf32>
      %all = gpu.subgroup_reduce add %mine uniform : (f32) -> f32
      memref.store %all, %x[%t] : memref<32xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<8xi32>) kernel { gpu.return }
  }
  func.func @looped(%x: memref<8xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %any = memref.cast %x : memref<8xi32> to memref<*xi32>
    scf.for %i = %c0 to %c8 step %c1 {
      gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xi32>)
      // expected-error @below {{what is printed becomes a result, and this is printed in a loop or a branch}}
      func.call @printMemrefI32(%any) : (memref<*xi32>) -> ()
    }
    return
  }
  func.func private @printMemrefI32(memref<*xi32>)
}
