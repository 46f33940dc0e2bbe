// RUN: arr-opt %s --kernel-plan-schedules="device=cuda" | FileCheck %s

// Scans of columns: where there are many, each has a thread; tiles of few columns
// are long and have many threads, as each waits for those before it; two columns
// a thread where rows are aligned, else tiles are wider, as what lies between two
// of them is written twice.
// Up to 16 columns have as many lanes.
// CHECK: #set = affine_set<()[s0, s1] : (-s0 + 4 >= 0)>
// CHECK-LABEL: @columns
// CHECK: versions [<when = #set, j = [block.0, thread.x 4], i = [block.1, thread.z 8, unroll 32, thread.y 8]
// CHECK-SAME: j = [block.0, thread.x 8], i = [block.1, thread.z 8, unroll 32, thread.y 4]
// CHECK-SAME: j = [block.0, thread.x 16], i = [block.1, thread.z 8, unroll 32, thread.y 2]
// CHECK-SAME: j = [block.0, thread.x {{[0-9]+}}, vector 2], i = [block.1, thread.y {{[0-9]+}}, unroll 16]
// CHECK-SAME: j = [block.0, thread.x 64], i = [block.1, thread.y 4, unroll 32]
// CHECK-SAME: j = [block.0, thread.x 64], i = [seq, unroll 32]
// CHECK-SAME: <j = [block.0, thread.x 64], i = [seq, unroll 8]
func.func @columns(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %Y[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Arrays that lie across each other: lanes walk where more of them lie, and
// threads share what is scanned whichever that is, as rows may be few.
// CHECK-LABEL: @across
// CHECK: j = [block.0, thread.x 4], i = [block.1, thread.z 8, unroll 32, thread.y 8]
// CHECK-LABEL: @along
// CHECK: j = [block.1], i = [block.0, thread.y 8, unroll {{[0-9]+}}, thread.x 32
func.func @across(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %v = kernel.load %X[%i, %j] : memref<?x?xf32>
        %p = kernel.prefix %v : f32
        kernel.store %p, %Y[%j, %i] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @along(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N, %M] = %x : memref<?x?xf32>, %W[%M, %N] = %w : memref<?x?xf32>, %N = %n : index, %M = %m : index) outs (%Y[%M, %N] = %y : memref<?x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j" (%j) in %M {
      %r = kernel.for "i" (%i) in %N scan (%z : f32) by arith.addf {
        %u = kernel.load %X[%i, %j] : memref<?x?xf32>
        %v = kernel.load %W[%j, %i] : memref<?x?xf32>
        %s = arith.mulf %u, %v : f32
        %p = kernel.prefix %s : f32
        kernel.store %p, %Y[%j, %i] : memref<?x?xf32>
      }
    }
  }
  return
}
