// A number that kernels only store to and the host reads may be memory of the
// host.
// RUN: arr-opt %s -convert-kernel-to-gpu | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {ordered_blocks = 1}>} {
// CHECK-LABEL: func.func @read
// CHECK:         memref.alloc() {kernel.host_result} : memref<f32>
func.func @read(%v: f32) -> f32 {
  %s = memref.alloc() : memref<f32>
  kernel.launch @store (%V = %v : f32) outs (%S[] = %s : memref<f32>) {
    kernel.store %V, %S[] : memref<f32>
  }
  %r = memref.load %s[] : memref<f32>
  memref.dealloc %s : memref<f32>
  return %r : f32
}

// Another kernel loads it: it is memory of the device.
// CHECK-LABEL: func.func @loaded
// CHECK:         memref.alloc() : memref<f32>
// CHECK-NOT:     kernel.host_result
func.func @loaded(%v: f32) -> f32 {
  %s = memref.alloc() : memref<f32>
  kernel.launch @store2 (%V = %v : f32) outs (%S[] = %s : memref<f32>) {
    kernel.store %V, %S[] : memref<f32>
  }
  kernel.launch @more (%V = %v : f32) outs (%S[] = %s : memref<f32>) {
    %x = kernel.load %S[] : memref<f32>
    %y = arith.addf %x, %V : f32
    kernel.store %y, %S[] : memref<f32>
  }
  %r = memref.load %s[] : memref<f32>
  memref.dealloc %s : memref<f32>
  return %r : f32
}

// It is handed out.
// CHECK-LABEL: func.func @returned
// CHECK:         memref.alloc() : memref<f32>
// CHECK-NOT:     kernel.host_result
func.func @returned(%v: f32) -> (f32, memref<f32>) {
  %s = memref.alloc() : memref<f32>
  kernel.launch @store3 (%V = %v : f32) outs (%S[] = %s : memref<f32>) {
    kernel.store %V, %S[] : memref<f32>
  }
  %r = memref.load %s[] : memref<f32>
  return %r, %s : f32, memref<f32>
}
}
