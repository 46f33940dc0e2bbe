// RUN: arr-opt %s --kernel-plan-memory=workspaces | FileCheck %s
// RUN: arrc build --emit=scheduled --target=cuda %S/../../../examples/heat.arr -o - | FileCheck %s --check-prefix=HEAT
// RUN: arrc build --emit=scheduled --target=opencl %S/../../../examples/heat.arr -o - | FileCheck %s --check-prefix=HEAT

// A time loop with a norm allocates nothing in its steps.
// HEAT: memref.alloc{{.*}}kernel.workspace
// HEAT: kernel.iterate
// HEAT-NOT: memref.alloc
// HEAT-NOT: memref.dealloc
// HEAT: kernel.continue

// Workspaces are shared, leave the loop with their sizes, and are freed once;
// other buffers stay.

// CHECK-LABEL: @loop
// CHECK: %[[SIZE:.*]] = arith.addi
// CHECK: %[[W:.*]] = memref.alloc(%[[SIZE]]) {kernel.workspace}
// CHECK: kernel.iterate
// CHECK:   memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:   kernel.launch @a {{.*}} = %[[W]]
// CHECK:   kernel.launch @b {{.*}} = %[[W]]
// CHECK:   memref.dealloc
// CHECK-NOT: memref.dealloc
// CHECK:   kernel.continue
// CHECK: memref.dealloc %[[W]]
// CHECK-NOT: memref.dealloc
func.func @loop(%n: index, %s: index, %a: memref<?xf32>) -> memref<?xf32> {
  %z = arith.constant 1 : index
  %r = kernel.iterate times (%k in %s) carry (%x[%n] = %a : memref<?xf32>) {
    %m = arith.addi %n, %z : index
    %own = memref.alloc(%n) : memref<?xf32>
    %v = memref.alloc(%m) {kernel.workspace} : memref<?xf32>
    kernel.launch @a (%M = %m : index) outs (%V[%M] = %v : memref<?xf32>) {
    }
    memref.dealloc %v : memref<?xf32>
    %w = memref.alloc(%m) {kernel.workspace} : memref<?xf32>
    kernel.launch @b (%M = %m : index) outs (%V[%M] = %w : memref<?xf32>) {
    }
    memref.dealloc %w : memref<?xf32>
    memref.dealloc %own : memref<?xf32>
    kernel.continue carry %x : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// A size that a step computes from what it has stays in the loop.

// CHECK-LABEL: @stays
// CHECK: kernel.iterate
// CHECK:   memref.alloc(%{{.*}}) {kernel.workspace}
// CHECK:   memref.dealloc
// CHECK:   kernel.continue
func.func @stays(%n: index, %s: index, %a: memref<?xf32>) -> memref<?xf32> {
  %r = kernel.iterate times (%k in %s) carry (%x[%n] = %a : memref<?xf32>) {
    %v = memref.alloc(%k) {kernel.workspace} : memref<?xf32>
    kernel.launch @a (%M = %k : index) outs (%V[%M] = %v : memref<?xf32>) {
    }
    memref.dealloc %v : memref<?xf32>
    kernel.continue carry %x : memref<?xf32>
  }
  return %r : memref<?xf32>
}
