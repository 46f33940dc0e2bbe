// RUN: arr-opt %s --kernel-privatize-updates --canonicalize --cse --split-input-file | FileCheck %s

// What the device does by itself stays; the CPU has no workers.
// CHECK-LABEL: @no_native
// CHECK: kernel.for "i"
// CHECK:   kernel.update %{{.*}} by arith.addi
// CHECK-NOT: kernel.local
// CHECK-LABEL: @no_device
// CHECK-NOT: kernel.local
module {
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1}>} {
func.func @no_native(%b: memref<?xindex>, %h: memref<?xi64>, %n: index, %m: index) {
  kernel.launch @k (%B[%N] = %b : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xi64>) {
    %one = arith.constant 1 : i64
    kernel.for "i" (%i) in %N {
      %bin = kernel.load %B[%i] : memref<?xindex>
      kernel.update %one, %H[%bin] : memref<?xi64> by arith.addi
    }
  }
  return
}
}
module {
func.func @no_device(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %one = arith.constant 1.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.update %one, %H[%i] : memref<8xf32> by arith.addf
    }
  }
  return
}
}
}

// -----

// Copies that start neutral, workers that update their own, a fold in order.
// CHECK-LABEL: @sums
// CHECK: kernel.launch
// CHECK:   %[[Z:.*]] = arith.constant 0.0
// CHECK:   arith.divsi
// CHECK:   %[[W:.*]] = arith.maxsi
// CHECK:   %[[C:.*]] = kernel.local (%M, %[[W]]) : memref<?x?xf32>
// CHECK:   kernel.for "i_c0_0" (%[[E:.*]]) in %M {
// CHECK:     kernel.for "i_c0" (%[[K:.*]]) in %[[W]] {
// CHECK:       kernel.store %[[Z]], %[[C]][%[[E]], %[[K]]]
// CHECK:   kernel.for "i_w" (%[[K:.*]]) in %[[W]] {
// CHECK:     scf.for %[[I:.*]] = %[[K]] to %N step %[[W]] {
// CHECK:       %[[B:.*]] = kernel.load %B[%[[I]]]
// CHECK:       scf.if
// CHECK:         %[[O:.*]] = kernel.load %[[C]][%[[B]], %[[K]]]
// CHECK:         %[[S:.*]] = arith.addf %[[O]]
// CHECK:         kernel.store %[[S]], %[[C]][%[[B]], %[[K]]]
// CHECK:   kernel.for "i_f0_0" (%[[E:.*]]) in %M {
// CHECK:     %[[T:.*]] = kernel.for "i_f0" (%[[K:.*]]) in %[[W]] reduce (%[[Z]] : f32) by arith.addf
// CHECK:       kernel.load %[[C]][%[[E]], %[[K]]]
// CHECK:     %[[OLD:.*]] = kernel.load %H[%[[E]]]
// CHECK:     %[[NEW:.*]] = arith.addf %[[OLD]], %[[T]]
// CHECK:     kernel.store %[[NEW]], %H[%[[E]]]
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1}>} {
func.func @sums(%x: memref<?xf32>, %b: memref<?xindex>, %h: memref<?xf32>, %n: index, %m: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %B[%N] = %b : memref<?xindex>, %N = %n : index, %M = %m : index) outs (%H[%M] = %h : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %bin = kernel.load %B[%i] : memref<?xindex>
      %v = kernel.load %X[%i] : memref<?xf32>
      %in = arith.cmpi ult, %bin, %M : index
      kernel.update %v, %H[%bin] if %in : memref<?xf32> by arith.addf
    }
  }
  return
}
}

// -----

// Without a neutral element one worker updates in place.
// CHECK-LABEL: @one_worker
// CHECK-NOT: kernel.local
// CHECK: kernel.for "i_w" {{.*}} {
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       kernel.load %H
// CHECK:       kernel.store %{{.*}}, %H
module attributes {kernel.device = #kernel.device<"opencl", {}>} {
func.func @one_worker(%h: memref<8xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xf32>) {
    %c = arith.constant 2.0 : f32
    kernel.for "i" (%i) in %N {
      kernel.for "j" (%j) in %N {
        kernel.update %c, %H[%j] : memref<8xf32> by (%a: f32, %b: f32) {
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %p, %b : f32
          %t = arith.addf %s, %a : f32
          kernel.yield %t : f32
        }
      }
    }
  }
  return
}
}

// -----

// 64-bit integers where the device has no atomics for them; the fold of the
// same loop goes along.
// CHECK-LABEL: @wide
// CHECK: kernel.local
// CHECK: %[[R:.*]] = kernel.for "i_w" {{.*}} reduce (%{{.*}} : i64) by arith.addi {
// CHECK:   %[[S:.*]] = scf.for {{.*}} iter_args
// CHECK:   kernel.yield %[[S]]
module attributes {kernel.device = #kernel.device<"opencl", {int64_atomics = 0}>} {
func.func @wide(%h: memref<8xi64>, %s: memref<i64>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%H[8] = %h : memref<8xi64>, %S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = kernel.for "i" (%i) in %N reduce (%z : i64) by arith.addi {
      kernel.update %one, %H[%i] : memref<8xi64> by arith.addi
      kernel.yield %one : i64
    }
    kernel.store %r, %S[] : memref<i64>
  }
  return
}
}

// -----

// A local of each iteration: the loops inside run in order.
// CHECK-LABEL: @local
// CHECK: kernel.for "i"
// CHECK:   kernel.local
// CHECK:   scf.for
// CHECK:     kernel.update
module attributes {kernel.device = #kernel.device<"cuda", {int64_atomics = 1}>} {
func.func @local(%y: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %one = arith.constant 1.0 : f32
    kernel.for "i" (%i) in %N {
      %e = kernel.local : memref<f32>
      kernel.store %one, %e[] : memref<f32>
      kernel.for "j" (%j) in %N {
        kernel.update %one, %e[] : memref<f32> by arith.addf
      }
      %v = kernel.load %e[] : memref<f32>
      kernel.store %v, %Y[%i] : memref<?xf32>
    }
  }
  return
}
}
