// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Who folds, for how many results, and how many steps a block has, are numbers
// of the launch: few kernels are left.
// CHECK-LABEL: @symbolic
// CHECK: versions [
// CHECK-SAME: deal threads>, <when
// CHECK-SAME: j = [block.0{{[^]]*}}], i = [block.1, seq {{[0-9]+}}, {{[^]]*}}], split boundary, deal threads>
// CHECK-SAME: deal threads>] of
func.func @symbolic(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?xf32>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f32
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %Y[%N, %M] = %y : memref<?x?xf32>, %N = %n : index, %M = %m : index, %O = %zero : f32) outs (%Z[%M] = %z : memref<?xf32>) {
    kernel.for "j" (%j) in %M {
      %s = kernel.for "i" (%i) in %N reduce (%O : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<?x?xf32>
        %b = kernel.load %Y[%i, %j] : memref<?x?xf32>
        %v = arith.mulf %a, %b : f32
        kernel.yield %v : f32
      }
      kernel.store %s, %Z[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Numbers ask for nothing.
// CHECK-LABEL: @known
// CHECK-NOT: deal threads
// CHECK: return
func.func @known(%x: memref<3000x70xf32>, %y: memref<3000x70xf32>, %z: memref<70xf32>) {
  %zero = arith.constant 0.0 : f32
  kernel.launch @k (%X[3000, 70] = %x : memref<3000x70xf32>, %Y[3000, 70] = %y : memref<3000x70xf32>, %O = %zero : f32) outs (%Z[70] = %z : memref<70xf32>) {
    kernel.for "j" (%j) in 70 {
      %s = kernel.for "i" (%i) in 3000 reduce (%O : f32) by arith.addf {
        %a = kernel.load %X[%i, %j] : memref<3000x70xf32>
        %b = kernel.load %Y[%i, %j] : memref<3000x70xf32>
        %v = arith.mulf %a, %b : f32
        kernel.yield %v : f32
      }
      kernel.store %s, %Z[%j] : memref<70xf32>
    }
  }
  return
}
