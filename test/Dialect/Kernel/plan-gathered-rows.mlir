// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" --split-input-file | FileCheck %s

// Rows that begin anywhere have no wide accesses: a map like others.
// CHECK-LABEL: @no_wide_rows
// CHECK: schedule #kernel.schedule<i = [block.1, thread.y 8, unroll 8], j = [block.0, thread.x 32]
func.func @no_wide_rows(%a: memref<?x63xf32>, %x: memref<?xi32>, %y: memref<?x63xf32>, %n: index, %k: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xi32>, %K = %k : index, %A[%K, 63] = %a : memref<?x63xf32>) outs (%Y[%N, 63] = %y : memref<?x63xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 63 {
      %r = kernel.load %X[%i] : memref<?xi32>
      %row = arith.index_cast %r : i32 to index
      %v = kernel.load %A[%row, %j] : memref<?x63xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x63xf32>
    } }
  }
  return
}

// -----

// A number of elements has its number of lanes; a check is no obstacle.
// CHECK-LABEL: @fixed
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 4, thread.y 16], j = [thread.x 16, vector 4]
// CHECK-LABEL: @rows_of_halves
// CHECK: schedule #kernel.schedule<i = [block.0, unroll 4, thread.y 64], j = [thread.x 4, vector 8]
// CHECK-LABEL: @long
// CHECK: schedule #kernel.schedule<i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32, vector 4]
func.func @fixed(%a: memref<?x64xf32>, %x: memref<?xi32>, %y: memref<?x64xf32>, %n: index, %k: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xi32>, %K = %k : index, %A[%K, 64] = %a : memref<?x64xf32>) outs (%Y[%N, 64] = %y : memref<?x64xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 64 {
      %r = kernel.load %X[%i] : memref<?xi32>
      %row = arith.index_cast %r : i32 to index
      %ok = arith.cmpi ult, %row, %K : index
      kernel.check index %ok, "index {0} is outside of a dimension of size {1}" [%row, %K : index, index]
      %v = kernel.load %A[%row, %j] if %ok : memref<?x64xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x64xf32>
    } }
  }
  return
}
func.func @rows_of_halves(%a: memref<?x32xf16>, %x: memref<?xi32>, %y: memref<?x32xf16>, %n: index, %k: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xi32>, %K = %k : index, %A[%K, 32] = %a : memref<?x32xf16>) outs (%Y[%N, 32] = %y : memref<?x32xf16>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 32 {
      %r = kernel.load %X[%i] : memref<?xi32>
      %row = arith.index_cast %r : i32 to index
      %v = kernel.load %A[%row, %j] : memref<?x32xf16>
      kernel.store %v, %Y[%i, %j] : memref<?x32xf16>
    } }
  }
  return
}
func.func @long(%a: memref<?x1024xf32>, %x: memref<?xi32>, %y: memref<?x1024xf32>, %n: index, %k: index) {
  kernel.launch @k (%N = %n : index, %X[%N] = %x : memref<?xi32>, %K = %k : index, %A[%K, 1024] = %a : memref<?x1024xf32>) outs (%Y[%N, 1024] = %y : memref<?x1024xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in 1024 {
      %r = kernel.load %X[%i] : memref<?xi32>
      %row = arith.index_cast %r : i32 to index
      %v = kernel.load %A[%row, %j] : memref<?x1024xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x1024xf32>
    } }
  }
  return
}

// -----

// Else versions: rows of up to 16, up to 64 and more that are aligned, others.
// CHECK-DAG: #[[SHORT:.*]] = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, -(s1 mod 4) >= 0, -s1 + 16 >= 0)>
// CHECK-DAG: #[[MIDDLE:.*]] = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, -(s1 mod 4) >= 0, -s1 + 64 >= 0)>
// CHECK-DAG: #[[LONG:.*]] = affine_set<()[s0, s1, s2] : (-(s0 mod 4) >= 0, -(s1 mod 4) >= 0, s1 - 65 >= 0)>
// CHECK-LABEL: @any
// CHECK: versions [<when = #[[SHORT]], i = [block.0, unroll 4, thread.y 64], j = [thread.x 4, vector 4]
// CHECK-SAME: <when = #[[MIDDLE]], i = [block.0, unroll 4, thread.y 16], j = [thread.x 16, vector 4]
// CHECK-SAME: <when = #[[LONG]], i = [block.1, unroll 4, thread.y 8], j = [block.0, thread.x 32, vector 4]
// CHECK-SAME: i = [block.0, unroll 8, thread.y 64], j = [thread.x 4]
func.func @any(%a: memref<?x?xf32>, %x: memref<?xi32>, %y: memref<?x?xf32>, %n: index, %k: index, %m: index, %p: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N] = %x : memref<?xi32>, %K = %k : index, %P = %p : index, %A[%K, %P] = %a : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "i" (%i) in %N { kernel.for "j" (%j) in %M {
      %r = kernel.load %X[%i] : memref<?xi32>
      %row = arith.index_cast %r : i32 to index
      %v = kernel.load %A[%row, %j] : memref<?x?xf32>
      kernel.store %v, %Y[%i, %j] : memref<?x?xf32>
    } }
  }
  return
}
