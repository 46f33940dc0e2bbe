// RUN: arr-opt %s --kernel-plan-schedules --split-input-file | FileCheck %s
// RUN: arr-opt %s --kernel-plan-schedules --kernel-expand-versions --kernel-keep-rows --kernel-split-loops --kernel-order-loops --kernel-mask-tails --canonicalize --cse --kernel-split-launches --kernel-assign-storage --split-input-file | FileCheck %s --check-prefix=SPLIT

// Rows from 65536 on, up to what all blocks keep that are at work at a time: 132
// of 256 threads with 72 elements each.
// CHECK-DAG: #[[EVEN:.*]] = affine_set<()[s0, s1] : (-s0 + 2433024 >= 0, s0 - 65536 >= 0, -(s0 mod 4) >= 0)>
// CHECK-DAG: #[[ODD:.*]] = affine_set<()[s0, s1] : (-s0 + 2433024 >= 0, s0 - 65536 >= 0)>
// CHECK-LABEL: @normal
// CHECK: <when = #[[EVEN]], i = [block.0], j = [block.1, seq 3, unroll 6, thread.x 256, vector 4], order = [i.0, j.0, j.3, j.2, j.4, j.1], stage = [S2 at i.0 register]{{(, index 32)?}}>
// CHECK-SAME: <when = #[[ODD]], i = [block.0], j = [block.1, seq 3, unroll 24, thread.x 256], order = [i.0, j.0, j.3, j.2, j.1], stage = [S2 at i.0 register]{{(, index 32)?}}>
// The blocks of a row stay in its loop, and threads have their elements there.
// SPLIT-LABEL: @normal
// SPLIT: kernel.for "i.0" {{.*}} at block.0 {
// SPLIT: kernel.local "row0" {kernel.own_elements} : memref<3x6x256x4xf32, #kernel.space<shared>>
// SPLIT: kernel.for "j.0" {{.*}} at block.1 reduce
// SPLIT: kernel.for "j.3" {{.*}} in 256 at thread.x reduce
// SPLIT: kernel.for "j.0" {{.*}} at block.1 {
// SPLIT: kernel.for "j.3" {{.*}} in 256 at thread.x {
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, resident_shared = 233472, resident_units = 132, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @normal(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %r = arith.divf %v, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

// A card that is not here may be smaller.
// CHECK-LABEL: @somewhere
// CHECK-NOT: block.1
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @somewhere(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        kernel.yield %v : f32
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %r = arith.divf %v, %s : f32
        kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
}

// -----

// Nor is it done where a block would write what another one still reads, or in
// a loop, in which nobody clears the words that blocks leave.
// CHECK-LABEL: @neighbours
// CHECK-NOT: block.1
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, ordered_blocks = 1, resident_shared = 233472, resident_units = 132, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
func.func @neighbours(%x: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %x : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1 : index
    kernel.for "i" (%i) in %N {
      %e = kernel.local (%M) : memref<?xf32>
      kernel.for "j" (%j) in %M {
        %k = arith.addi %j, %one : index
        %v = kernel.load %X[%i, %k] edge [clamp, clamp] : memref<?x?xf32>
        kernel.store %v, %e[%j] : memref<?xf32>
      }
      kernel.for "j" (%j) in %M {
        %v = kernel.load %e[%j] : memref<?xf32>
        kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
// CHECK-LABEL: @often
// CHECK-NOT: block.1
func.func @often(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index, %t: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %t step %c1 {
    kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
      %z = arith.constant 0.0 : f32
      kernel.for "i" (%i) in %N {
        %s = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          kernel.yield %v : f32
        }
        kernel.for "j" (%j) in %M {
          %v = kernel.load %X[%i, %j] : memref<?x?xf32>
          %r = arith.divf %v, %s : f32
          kernel.store %r, %Y[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
}
