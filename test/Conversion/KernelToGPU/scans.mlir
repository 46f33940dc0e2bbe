// A scan over threads: groups of sixteen, then the totals of the groups before.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @inclusive
// CHECK:         memref.store %{{.*}} : memref<64xi32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    gpu.barrier
// CHECK:         %[[BEFORE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c0_i32)
// CHECK:         %[[UPTO:.*]] = arith.addi %[[BEFORE]], %{{.*}} : i32
// CHECK:         scf.if
// CHECK:           memref.store %[[UPTO]], %{{.*}} : memref<4xi32, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK:         %[[BASE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c0_i32)
// CHECK:         %[[ALL:.*]] = arith.addi %[[BASE]], %[[BEFORE]]
// CHECK:         %[[TOTAL:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[BASE]])
// CHECK:         arith.addi %[[TOTAL]], %c7_i32
// CHECK:         arith.addi %[[ALL]], %c7_i32
// CHECK-NOT:     gpu.barrier
func.func @scan(%x: memref<64xi32>) {
  %t = memref.alloc() : memref<i32>
  kernel.launch @inclusive () outs (%X[64] = %x : memref<64xi32>, %T[] = %t : memref<i32>) {
    %z = arith.constant 7 : i32
    %s = kernel.for "i" (%i) in 64 at thread.x scan (%z : i32) by arith.addi {
      %v = kernel.load %X[%i] : memref<64xi32>
      %p = kernel.prefix %v : i32
      kernel.store %p, %X[%i] : memref<64xi32>
    }
    kernel.store %s, %T[] : memref<i32>
  }
  return
}

// One after the other where the loop has no level.
// CHECK-LABEL: gpu.func @serial
// CHECK:         %[[S:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %c7_i32)
// CHECK:           %[[NEXT:.*]] = arith.addi %[[ACC]]
// CHECK:           memref.store %[[ACC]]
// CHECK:           scf.yield %[[NEXT]]
func.func @ordered(%x: memref<64xi32>, %t: memref<i32>) {
  kernel.launch @serial () outs (%X[64] = %x : memref<64xi32>, %T[] = %t : memref<i32>) {
    %z = arith.constant 7 : i32
    %s = kernel.for "i" (%i) in 64 scan (%z : i32) by arith.addi {
      %v = kernel.load %X[%i] : memref<64xi32>
      %p = kernel.prefix exclusive %v : i32
      kernel.store %p, %X[%i] : memref<64xi32>
    }
    kernel.store %s, %T[] : memref<i32>
  }
  return
}
