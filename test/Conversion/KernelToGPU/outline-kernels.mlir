// RUN: arr-opt %s --split-input-file --outline-kernels | FileCheck %s
// RUN: arr-opt %s --split-input-file --outline-kernels --convert-kernel-to-scf | FileCheck %s --check-prefix=SCF

// What is not cut stays as it is.
// CHECK-LABEL: @no_parts
func.func @no_parts(%n: index, %y: memref<?xf32>) {
  // CHECK: kernel.launch @k
  kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.0 {
      kernel.store %z, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Blocks run from an argument on; bools, rows with strides, and a flag.
module attributes {kernel.device = #kernel.device<"cpu", {parts = 1 : i64}>} {
  // CHECK-LABEL: func.func @blocks
  // CHECK: gpu.launch_func @k_kernel::@k blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK-NOT: kernel.launch
  // SCF-LABEL: func.func private @k.kernel
  // SCF-SAME: %[[F:[a-z0-9]+]]: index, %[[C:[a-z0-9]+]]: index)
  // SCF: scf.if
  // SCF: scf.parallel (%[[B:.*]]) = (%{{.*}}) to (%[[C]])
  // SCF: arith.addi %[[F]], %[[B]]
  func.func @blocks(%n: index, %s: i1, %x: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
    %go = memref.alloc() : memref<i1>
    memref.store %s, %go[] : memref<i1>
    %y = memref.alloc(%n) : memref<?xf32>
    kernel.launch @k (%N = %n : index, %S = %s : i1, %X[%N] = %x : memref<?xf32, strided<[?], offset: ?>>) outs (%Y[%N] = %y : memref<?xf32>) if (%go : memref<i1>) schedule #kernel.schedule<i = [block.0]> {
      kernel.for "i.0" (%i) in %N at block.0 {
        %v = kernel.load %X[%i] : memref<?xf32, strided<[?], offset: ?>>
        %w = arith.negf %v : f32
        %u = arith.select %S, %v, %w : f32
        kernel.store %u, %Y[%i] : memref<?xf32>
      }
    }
    return %y : memref<?xf32>
  }
  // CHECK: func.func private @k.kernel(
  // CHECK-SAME: attributes {arrc.kernel = "ppp8188ox"}
  // CHECK: arith.trunci
  // CHECK: memref.reinterpret_cast
  // CHECK: kernel.launch @k
  // CHECK: {kernel.part = array<i64: 3, 4>}
  // CHECK: gpu.binary @k_kernel
  // CHECK-SAME: arrc.kernels = {k = "ppp8188ox"}
}
