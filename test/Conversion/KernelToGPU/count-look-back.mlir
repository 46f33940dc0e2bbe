// Counts of blocks: a word a tile says what it is, one sub-group looks at 32
// earlier ones at a time and adds up to the first that has a sum of all.
// RUN: arr-opt %s -convert-kernel-to-gpu -canonicalize -cse | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, subgroup = 32}>} {

// CHECK-LABEL: gpu.func @count
// CHECK-DAG:     %[[PREFIX:.*]] = arith.constant -9223372036854775808 : i64
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 4611686018427387904 : i64
// CHECK:         %[[FIRST:.*]] = arith.ori %[[OWN:.*]], %[[PREFIX]]
// CHECK:         memref.store %[[FIRST]], %{{.*}} {arrc.device_access}
// CHECK:         %[[LATER:.*]] = arith.ori %[[OWN]], %[[COUNT]]
// CHECK:         memref.store %[[LATER]], %{{.*}} {arrc.device_access}
// CHECK:         scf.while
// CHECK:           scf.while
// CHECK:             memref.load %{{.*}} {arrc.device_access}
// CHECK-COUNT-10:  gpu.shuffle  down
// CHECK:           gpu.shuffle  idx
// CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %[[OWN]]
// CHECK:         %[[UPTO:.*]] = arith.ori %[[SUM]], %[[PREFIX]]
// CHECK:         memref.store %[[UPTO]], %{{.*}} {arrc.device_access}
// CHECK:         gpu.barrier
func.func @scan(%x: memref<?xi8>, %y: memref<?xi64>, %n: index) -> memref<i64> {
  %t = memref.alloc() : memref<i64>
  kernel.launch @count (%N = %n : index, %X[%N] = %x : memref<?xi8>) outs (%Y[%N] = %y : memref<?xi64>, %T[] = %t : memref<i64>) {
    %z = arith.constant 0 : i32
    %none = arith.constant 0 : i64
    %b = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%N]
    %s = kernel.for "i.0" (%i) in %b at block.0 scan (%none : i64) by arith.addi {
      %a = kernel.for "i.1" (%j) in 64 at thread.x reduce (%z : i32) by arith.addi {
        %k = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%i, %j)
        %in = arith.cmpi slt, %k, %N : index
        %v = kernel.load %X[%k] if %in : memref<?xi8>
        %w = arith.extui %v : i8 to i32
        kernel.yield %w : i32
      }
      %wide = arith.extui %a : i32 to i64
      %c = kernel.prefix exclusive %wide : i64
      kernel.store %c, %Y[%i] : memref<?xi64>
    }
    kernel.store %s, %T[] : memref<i64>
  }
  return %t : memref<i64>
}
}
