// RUN: arr-opt %s --kernel-plan-schedules | FileCheck %s

// Folds of everything that windows are read for take the shapes of windows in
// maps: vectors along aligned rows, several rows or planes a thread.
module attributes {kernel.device = #kernel.device<"cuda", {max_threads = 1024, shared_bytes = 49152, subgroup = 32, units = 132, vector_bytes = 16}>} {
// The offset is no window: rows are read once.
// CHECK-LABEL: @no_window
// CHECK: kernel.launch @k
// CHECK-NOT: i = [block.1, thread.y 8, unroll
// CHECK-LABEL: @change
func.func @no_window(%a: memref<?x?xf32>, %e: memref<f32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%E = %e : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.addf {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.addf {
        %x = kernel.load %A[%i, %j] : memref<?x?xf32>
        %y = math.sqrt %x : f32
        kernel.yield %y : f32
      }
      kernel.yield %t : f32
    }
    kernel.store %s, %E[] : memref<f32>
  }
  return
}

// CHECK: kernel.launch @k
// CHECK-SAME: i = [block.1, thread.y 8, unroll 4], j = [block.0, thread.x 32, vector 4], order = [i.0, j.0, i.1, j.1, i.2, j.2]
// CHECK-SAME: i = [block.1, thread.y 8, unroll {{[0-9]+}}], j = [block.0, thread.x 32], order = [i.0, j.0, i.1, j.1, i.2]
func.func @change(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %e: memref<f32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %A[%N, %M] = %a : memref<?x?xf32>) outs (%B[%N, %M] = %b : memref<?x?xf32>, %E = %e : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %s = kernel.for "i" (%i) in %N reduce (%z : f32) by arith.maximumf {
      %t = kernel.for "j" (%j) in %M reduce (%z : f32) by arith.maximumf {
        %up = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
        %down = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %x = kernel.load %A[%up, %j] edge [clamp, clamp] : memref<?x?xf32>
        %y = kernel.load %A[%down, %j] edge [clamp, clamp] : memref<?x?xf32>
        %c = kernel.load %A[%i, %j] : memref<?x?xf32>
        %v = arith.addf %x, %y : f32
        kernel.store %v, %B[%i, %j] : memref<?x?xf32>
        %d = arith.subf %v, %c : f32
        %f = math.absf %d : f32
        kernel.yield %f : f32
      }
      kernel.yield %t : f32
    }
    kernel.store %s, %E[] : memref<f32>
  }
  return
}

// Of three dimensions planes, where there are many. Two folds at once.
// CHECK-LABEL: @planes
// CHECK: kernel.launch @k
// CHECK-SAME: i = [block.2, unroll {{[0-9]+}}], j = [block.1, thread.y 8], k = [block.0, thread.x 32, vector 4]
func.func @planes(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>, %e: memref<f32>, %f: memref<f32>, %n: index, %m: index, %l: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %L = %l : index, %A[%N, %M, %L] = %a : memref<?x?x?xf32>) outs (%B[%N, %M, %L] = %b : memref<?x?x?xf32>, %E = %e : memref<f32>, %F = %f : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %s:2 = kernel.for "i" (%i) in %N reduce (%z, %z : f32, f32) by arith.maximumf, arith.addf {
      %t:2 = kernel.for "j" (%j) in %M reduce (%z, %z : f32, f32) by arith.maximumf, arith.addf {
        %r:2 = kernel.for "k" (%k) in %L reduce (%z, %z : f32, f32) by arith.maximumf, arith.addf {
          %up = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
          %down = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
          %left = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
          %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
          %0 = kernel.load %A[%up, %j, %k] edge [clamp, clamp, none] : memref<?x?x?xf32>
          %1 = kernel.load %A[%down, %j, %k] edge [clamp, clamp, none] : memref<?x?x?xf32>
          %2 = kernel.load %A[%i, %left, %k] edge [clamp, clamp, none] : memref<?x?x?xf32>
          %3 = kernel.load %A[%i, %right, %k] edge [clamp, clamp, none] : memref<?x?x?xf32>
          %4 = arith.addf %0, %1 : f32
          %5 = arith.addf %2, %3 : f32
          %6 = arith.addf %4, %5 : f32
          kernel.store %6, %B[%i, %j, %k] : memref<?x?x?xf32>
          kernel.yield %6, %4 : f32, f32
        }
        kernel.yield %r#0, %r#1 : f32, f32
      }
      kernel.yield %t#0, %t#1 : f32, f32
    }
    kernel.store %s#0, %E[] : memref<f32>
    kernel.store %s#1, %F[] : memref<f32>
  }
  return
}
}
