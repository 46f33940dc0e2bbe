// RUN: arr-opt %s --kernel-plan-schedules | FileCheck %s

// CHECK-DAG: #[[FEW:.*]] = affine_set<()[s0, s1] : (-s1 + 384 >= 0)>
// CHECK-DAG: #[[SOME:.*]] = affine_set<()[s0, s1] : (-s1 + 3072 >= 0)>
// CHECK-DAG: #[[MANY:.*]] = affine_set<()[s0, s1] : (-s1 + 12288 >= 0, s0 - s1 * 528 >= 0)>
// CHECK-DAG: #[[TWICE:.*]] = affine_set<()[s0, s1] : (-s1 + 24576 >= 0, s0 - s1 * 528 >= 0)>
// CHECK-DAG: #[[PREPARED:.*]] = affine_set<()[s0] : (s0 - 2640000 >= 0)>
// CHECK-DAG: #[[LONG:.*]] = affine_set<()[s0] : (s0 - 6400000 >= 0)>

// Few bins: 32 copies, one for each lane of a warp.
// CHECK-LABEL: @bytes
// CHECK: schedule #kernel.schedule<i = [seq, block.0 528, thread.x 512, vector 16], order = [i.1, i.2, i.0, i.3], private = [S2 at i.1 shared copies 32], split boundary>
// Too many for a block: ranges, if keys are many; else memory.
// CHECK-LABEL: @many
// CHECK: versions [<when = #[[LONG]], i = [seq, block.0 16, unroll 4, thread.x 1024, vector 4], order = [i.1, i.3, i.0, i.2, i.4], private = [S2 at i.1 ranges], split boundary{{(, index 32)?}}>, <i = [block.0, thread.x 256, vector 4], order = [i.0, i.1, i.2], split boundary{{(, index 32)?}}>] of (%N)
// CHECK-LABEL: @most
// CHECK: schedule #kernel.schedule<i = [block.0, thread.x 256, vector 4], order = [i.0, i.1, i.2], split boundary>
// Beside loops that prepare and finish the bins the updates have versions, too,
// each with the digits of all loops.
// CHECK-LABEL: @prepared
// CHECK: versions [<when = #[[PREPARED]], z = [block.0, unroll 4, thread.x 256], {{.*}} i = [seq, block.0 528, thread.x 512, vector 4], {{.*}}private = [U0 at i.1 shared copies 2], split boundary{{(, index 32)?}}>, <z = [block.0, unroll 4, thread.x 256], {{.*}} i = [block.0, thread.x 256, vector 4], {{.*}}split boundary{{(, index 32)?}}>] of (%N)
// A number that the call brings: as many copies as it leaves room for.
// CHECK-LABEL: @versions
// CHECK: versions [<when = #[[FEW]], i = [seq, block.0 528, {{.*}} copies 32]{{.*}}>, <when = #[[SOME]], {{.*}} copies 4]{{.*}}>, <when = #[[MANY]], {{.*}} copies 1]{{.*}}>, <when = #[[TWICE]], i = [seq, block.0 132, {{.*}}ranges], split boundary{{(, index 32)?}}>, {{.*}}, <i = [block.0, thread.x 256, vector 4], {{.*}}>] of (%N, %M)
module attributes {kernel.device = #kernel.device<"cuda", {units = 132, max_threads = 1024, unit_threads = 2048, shared_bytes = 49152, subgroup = 32, vector_bytes = 16, int64_atomics = 1}>} {
func.func @bytes(%x: memref<?xi8>, %h: memref<256xi32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi8>, %N = %n : index) outs (%H[256] = %h : memref<256xi32>) {
    %one = arith.constant 1 : i32
    kernel.for "i" (%i) in %N {
      %k = kernel.load %X[%i] : memref<?xi8>
      %b = arith.index_castui %k : i8 to index
      kernel.update %one, %H[%b] : memref<256xi32> by arith.addi
    }
  }
  return
}
func.func @many(%x: memref<?xi32>, %h: memref<100000xi32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi32>, %N = %n : index) outs (%H[100000] = %h : memref<100000xi32>) {
    %one = arith.constant 1 : i32
    kernel.for "i" (%i) in %N {
      %k = kernel.load %X[%i] : memref<?xi32>
      %b = arith.index_cast %k : i32 to index
      kernel.update %one, %H[%b] : memref<100000xi32> by arith.addi
    }
  }
  return
}
func.func @most(%x: memref<?xi32>, %h: memref<1000000xi32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi32>, %N = %n : index) outs (%H[1000000] = %h : memref<1000000xi32>) {
    %one = arith.constant 1 : i32
    kernel.for "i" (%i) in %N {
      %k = kernel.load %X[%i] : memref<?xi32>
      %b = arith.index_cast %k : i32 to index
      kernel.update %one, %H[%b] : memref<1000000xi32> by arith.addi
    }
  }
  return
}
func.func @prepared(%x: memref<?xi32>, %h: memref<5000xi32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi32>, %N = %n : index) outs (%H[5000] = %h : memref<5000xi32>) {
    %zero = arith.constant 0 : i32
    %bins = kernel.local : memref<5000xi32>
    kernel.for "z" (%z) in 5000 {
      kernel.store %zero, %bins[%z] : memref<5000xi32>
    }
    kernel.for "i" (%i) in %N {
      %k = kernel.load %X[%i] : memref<?xi32>
      %b = arith.index_cast %k : i32 to index
      kernel.update %k, %bins[%b] : memref<5000xi32> by arith.maxsi
    }
    kernel.for "z" (%z) in 5000 {
      %m = kernel.load %bins[%z] : memref<5000xi32>
      kernel.store %m, %H[%z] : memref<5000xi32>
    }
  }
  return
}
func.func @versions(%x: memref<?xi32>, %h: memref<?xi32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi32>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi32>) {
    %one = arith.constant 1 : i32
    kernel.for "i" (%i) in %N {
      %k = kernel.load %X[%i] : memref<?xi32>
      %b = arith.index_cast %k : i32 to index
      kernel.update %one, %H[%b] : memref<?xi32> by arith.addi
    }
  }
  return
}
}
