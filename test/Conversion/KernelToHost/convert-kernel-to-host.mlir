// Time loops carry their buffers; a step that names them in another order
// copies nothing.
// RUN: arr-opt %s --convert-kernel-to-host --split-input-file --verify-diagnostics | FileCheck %s

func.func @no_tensors(%n: index, %t0: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  // expected-error @+1 {{is on tensors; bufferize it first}}
  %t = kernel.iterate times (%s in %k) carry (%t1[%n] = %t0 : tensor<?xf32>) {
    kernel.continue carry %t1 : tensor<?xf32>
  }
  return %t : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @swap
// CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[K:.*]]: index)
// CHECK: %[[W:.*]]:3 = scf.while (%[[S:.*]] = %{{.*}}, %[[T:.*]] = %[[A]], %[[U:.*]] = %[[B]])
// CHECK:   %[[GO:.*]] = arith.cmpi slt, %[[S]], %[[K]]
// CHECK:   scf.condition(%[[GO]])
// CHECK: ^bb0(%[[S1:.*]]: index, %[[T1:.*]]: memref<?xf32>, %[[U1:.*]]: memref<?xf32>):
// CHECK:   memref.copy %[[T1]], %[[U1]]
// CHECK:   scf.yield %{{.*}}, %[[U1]], %[[T1]]
// CHECK: return %[[W]]#1, %[[W]]#2
func.func @swap(%n: index, %a: memref<?xf32>, %b: memref<?xf32>, %k: index) -> (memref<?xf32>, memref<?xf32>) {
  %r:2 = kernel.iterate times (%s in %k) carry (%t[%n] = %a rotate %next = %b : memref<?xf32>) {
    memref.copy %t, %next : memref<?xf32> to memref<?xf32>
    kernel.continue carry %next : memref<?xf32>
  }
  return %r#0, %r#1 : memref<?xf32>, memref<?xf32>
}

// -----

// Leapfrog: (um, u) = (u, next); what is left is the next step's `next`.
// CHECK-LABEL: func @leapfrog
// CHECK: ^bb0(%{{.*}}: index, %[[UM:.*]]: memref<?xf32>, %[[U:.*]]: memref<?xf32>, %[[NEXT:.*]]: memref<?xf32>):
// CHECK:   scf.yield %{{.*}}, %[[U]], %[[NEXT]], %[[UM]]
func.func @leapfrog(%n: index, %a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %k: index) -> memref<?xf32> {
  %r:3 = kernel.iterate times (%s in %k) carry (%um[%n] = %a : memref<?xf32>, %u[%n] = %b rotate %next = %c : memref<?xf32>) {
    kernel.continue carry %u, %next : memref<?xf32>, memref<?xf32>
  }
  return %r#1 : memref<?xf32>
}

// -----

// A flag is read before each step. What is updated in place is the buffer from
// outside, in the loop and behind it.
// CHECK-LABEL: func @conditional
// CHECK-SAME: (%{{.*}}: index, %[[T:.*]]: memref<?xf32>,
// CHECK: scf.while (%{{.*}} = %{{.*}}, %[[G:.*]] = %{{[^,]*}}) :
// CHECK:   %[[L:.*]] = arith.cmpi slt
// CHECK:   %[[F:.*]] = memref.load %[[G]][]
// CHECK:   %[[M:.*]] = arith.andi %[[L]], %[[F]]
// CHECK:   scf.condition(%[[M]])
// CHECK:   memref.store %{{.*}}, %[[T]]
// CHECK: return %[[T]]
func.func @conditional(%n: index, %a: memref<?xf32>, %go: memref<i1>, %k: index) -> memref<?xf32> {
  %r = kernel.iterate times (%s in %k) while (%g = %go : memref<i1>) carry (%t[%n] = %a : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %t[%c0] : memref<?xf32>
    kernel.continue while %g : memref<i1> carry %t : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// A copy between views becomes loops, between whole buffers it stays.
// CHECK-LABEL: func @copies
// CHECK: scf.parallel
// CHECK:   scf.for
// CHECK:     memref.load
// CHECK:     memref.store
// CHECK: memref.copy
func.func @copies(%a: memref<?x?xf32>, %b: memref<4x4xf32>, %c: memref<?x?xf32>) {
  %v = memref.subview %a[1, 1] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  memref.copy %v, %b : memref<4x4xf32, strided<[?, 1], offset: ?>> to memref<4x4xf32>
  memref.copy %a, %c : memref<?x?xf32> to memref<?x?xf32>
  return
}
