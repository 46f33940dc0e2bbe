// Of the schedules that are found those stay that take no fold of floats apart.
// RUN: arr-opt %s --pass-pipeline='builtin.module(func.func(kernel-plan-schedules{in-order}))' | FileCheck %s

module attributes {kernel.device = #kernel.device<"cuda", {arch = "sm_90"}>} {

// Rows: lanes would share a fold.
// CHECK-LABEL: func @rows
// CHECK: kernel.launch @rows
// CHECK-SAME: i = [block.0, thread.x 32]
// CHECK-NOT: j =
// CHECK: kernel.for
func.func @rows(%a: memref<?x?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @rows (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%Y[%N] = %y : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%zero : f32) by arith.addf {
        %x = kernel.load %A[%i, %j] : memref<?x?xf32>
        kernel.yield %x : f32
      }
      kernel.store %s, %Y[%i] : memref<?xf32>
    }
  }
  return
}

// Integers are the same in any order.
// CHECK-LABEL: func @integers
// CHECK: thread.x 32
// CHECK: j = [{{.*}}thread
func.func @integers(%a: memref<?x?xi32>, %y: memref<?xi32>, %n: index, %m: index) {
  kernel.launch @rows (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xi32>) outs (%Y[%N] = %y : memref<?xi32>) {
    %zero = arith.constant 0 : i32
    kernel.for "i" (%i) in %N {
      %s = kernel.for "j" (%j) in %M reduce (%zero : i32) by arith.addi {
        %x = kernel.load %A[%i, %j] : memref<?x?xi32>
        kernel.yield %x : i32
      }
      kernel.store %s, %Y[%i] : memref<?xi32>
    }
  }
  return
}

// Tiles of a product go on from box to box; blocks do not share its fold.
// CHECK-LABEL: func @product
// CHECK: kernel.launch @product
// CHECK-SAME: l = [seq, seq 16], order = [i.0, j.0, l.0
// CHECK-NOT: l = [seq, block
// CHECK-NOT: l = [unroll
// CHECK: kernel.for
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %n: index, %k: index, %m: index) {
  kernel.launch @product (%N = %n : index, %K = %k : index, %M = %m : index, %A[%N, %K] = %a : memref<?x?xf32>, %B[%K, %M] = %b : memref<?x?xf32>) outs (%C[%N, %M] = %c : memref<?x?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %M {
        %s = kernel.for "l" (%l) in %K reduce (%zero : f32) by arith.addf fastmath<contract> {
          %x = kernel.load %A[%i, %l] : memref<?x?xf32>
          %y = kernel.load %B[%l, %j] : memref<?x?xf32>
          %p = arith.mulf %x, %y fastmath<contract> : f32
          kernel.yield %p : f32
        }
        kernel.store %s, %C[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

}
