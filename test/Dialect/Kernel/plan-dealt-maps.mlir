// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Any of the dimensions may be short: which threads walk which is a number of the
// launch, and few kernels are left.
// CHECK-LABEL: @symbolic
// CHECK: versions [
// CHECK-SAME: i = [block.2{{[^]]*}}], j = [block.1{{[^]]*}}], l = [block.0{{[^]]*}}], split boundary{{(, index 32)?}}, deal threads>, <when
// CHECK-SAME: deal threads>, <when
// Squares on chip are for what has two long sides.
// CHECK-SAME: stage = [S1 at l.0 shared pad 1], split boundary{{(, index 32)?}}>] of
func.func @symbolic(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>, %z: memref<?x?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%X[%N, %M, %K] = %x : memref<?x?x?xf32>, %Y[%K, %N, %M] = %y : memref<?x?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Z[%N, %M, %K] = %z : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "l" (%l) in %K {
      %a = kernel.load %X[%i, %j, %l] : memref<?x?x?xf32>
      %b = kernel.load %Y[%l, %i, %j] : memref<?x?x?xf32>
      %v = arith.addf %a, %b : f32
      kernel.store %v, %Z[%i, %j, %l] : memref<?x?x?xf32>
    } } }
  }
  return
}

// -----

// Numbers ask for nothing.
// CHECK-LABEL: @known
// CHECK-NOT: deal threads
// CHECK: return
func.func @known(%x: memref<300x7x5xf32>, %y: memref<5x300x7xf32>, %z: memref<300x7x5xf32>) {
  kernel.launch @k (%X[300, 7, 5] = %x : memref<300x7x5xf32>, %Y[5, 300, 7] = %y : memref<5x300x7xf32>) outs (%Z[300, 7, 5] = %z : memref<300x7x5xf32>) {
    kernel.for "i" (%i) in 300 { kernel.for "j" (%j) in 7 { kernel.for "l" (%l) in 5 {
      %a = kernel.load %X[%i, %j, %l] : memref<300x7x5xf32>
      %b = kernel.load %Y[%l, %i, %j] : memref<5x300x7xf32>
      %v = arith.addf %a, %b : f32
      kernel.store %v, %Z[%i, %j, %l] : memref<300x7x5xf32>
    } } }
  }
  return
}

// -----

// An error is told by the indices of loops.
// CHECK-LABEL: @checked
// CHECK-NOT: deal threads
// CHECK: return
func.func @checked(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>, %z: memref<?x?x?xf32>, %n: index, %m: index, %k: index) {
  kernel.launch @k (%X[%N, %M, %K] = %x : memref<?x?x?xf32>, %Y[%K, %N, %M] = %y : memref<?x?x?xf32>, %N = %n : index, %M = %m : index, %K = %k : index) outs (%Z[%N, %M, %K] = %z : memref<?x?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M { kernel.for "l" (%l) in %K {
      %a = kernel.load %X[%i, %j, %l] : memref<?x?x?xf32>
      %b = kernel.load %Y[%l, %i, %j] : memref<?x?x?xf32>
      %ok = arith.cmpf une, %b, %a : f32
      kernel.check assert %ok, "equal"
      %v = arith.divf %a, %b : f32
      kernel.store %v, %Z[%i, %j, %l] : memref<?x?x?xf32>
    } } }
  }
  return
}
