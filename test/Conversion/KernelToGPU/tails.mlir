// What follows the blocks: in the last of them, in the first, or all in one.
// RUN: arr-opt %s -split-input-file -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {ordered_blocks = 1}>} {
// CHECK-LABEL: func.func @last
// The runtime has the counter.
// CHECK:         %[[TICKET:.*]] = ub.poison : memref<1xi32, #gpu.address_space<global>>
// CHECK:         %[[GRID:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK:         gpu.launch_func
// CHECK-SAME:      %[[TICKET]] : memref<1xi32
// CHECK:       gpu.func @last_k(
// CHECK-SAME:    arrc.args = "pp4tox"
// CHECK:         scf.if
// CHECK-NEXT:      memref.store
// CHECK:         llvm.fence syncscope("device") acq_rel
// CHECK-NEXT:    %[[OLD:.*]] = memref.atomic_rmw addi %c1_i32
// CHECK-NEXT:    llvm.fence syncscope("device") acq_rel
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %[[OLD]]
// CHECK:         scf.if %[[LAST]]
// CHECK-NEXT:      llvm.fence
// CHECK:           memref.load
// CHECK:           memref.store
// CHECK:           memref.store %c0_i32
func.func @last(%n: index) -> memref<f32> {
  %x = memref.alloc(%n) : memref<?xf32>
  %s = memref.alloc() : memref<f32>
  kernel.launch @last_k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N at block.0 {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
    %v = kernel.load %X[%c0] : memref<?xf32>
    kernel.store %v, %S[] : memref<f32>
  }
  return %s : memref<f32>
}

// Nothing of the blocks is needed: the first one does it.
// CHECK-LABEL: func.func @no_ticket
// CHECK-NOT:     ub.poison
// CHECK:       gpu.func @no_ticket_k(
// CHECK:         %[[B:.*]] = arith.addi
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[B]], %c0
// CHECK-NOT:     llvm.fence
// CHECK:         scf.if %[[FIRST]]
// CHECK-NEXT:      memref.store
func.func @no_ticket(%n: index) -> memref<f32> {
  %x = memref.alloc(%n) : memref<?xf32>
  %s = memref.alloc() : memref<f32>
  kernel.launch @no_ticket_k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N at block.0 {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
    kernel.store %z, %S[] : memref<f32>
  }
  return %s : memref<f32>
}
}

// -----

// Blocks without an order: one of them does everything.
// CHECK-LABEL: func.func @no_order
// CHECK:         gpu.launch_func {{.*}} blocks in (%c1, %c1, %c1)
// CHECK:       gpu.func @no_order_k(
// CHECK:         scf.for
// CHECK-NEXT:      memref.store
// CHECK:         memref.load
func.func @no_order(%n: index) -> memref<f32> {
  %x = memref.alloc(%n) : memref<?xf32>
  %s = memref.alloc() : memref<f32>
  kernel.launch @no_order_k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>, %S[] = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    kernel.for "i" (%i) in %N at block.0 {
      kernel.store %z, %X[%i] : memref<?xf32>
    }
    %v = kernel.load %X[%c0] : memref<?xf32>
    kernel.store %v, %S[] : memref<f32>
  }
  return %s : memref<f32>
}
