// Divisions by one value share its reciprocal, in groups of four with one test;
// what is too large or too small for that is divided as before.
// RUN: arr-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-share-reciprocals))' | FileCheck %s
#global = #gpu.address_space<global>
gpu.module @kernels {
  // Less than four.
  // CHECK-LABEL: gpu.func @no_three
  // CHECK-COUNT-3: arith.divf
  // CHECK-NOT: math.fma
  // CHECK: gpu.return
  gpu.func @no_three(%p: memref<?xf32, #global>, %x: f32, %y: f32, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %0 = arith.divf %x, %s : f32
    %1 = arith.divf %y, %s : f32
    %2 = arith.divf %0, %s : f32
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %p[%c0] : memref<?xf32, #global>
    gpu.return
  }

  // What may be approximate, halves, and what is a product anyway.
  // CHECK-LABEL: gpu.func @no_others
  // CHECK-NOT: math.fma
  // CHECK: gpu.return
  gpu.func @no_others(%p: memref<?xf32, #global>, %q: memref<?xf16, #global>, %x: f32, %h: f16) kernel {
    %c0 = arith.constant 0 : index
    %third = arith.constant 3.0 : f32
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1.0 : f32
    %three = arith.constant 3.0 : f16
    %0 = arith.divf %x, %third fastmath<fast> : f32
    %1 = arith.divf %0, %two : f32
    %2 = arith.divf %one, %third : f32
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %p[%c0] : memref<?xf32, #global>
    %4 = arith.divf %h, %three : f16
    memref.store %4, %q[%c0] : memref<?xf16, #global>
    gpu.return
  }

  // The reciprocal stands beside the divisor, the division where the first of
  // its results is needed: behind loads.
  // CHECK-LABEL: gpu.func @group
  // CHECK-SAME: %[[P:.*]]: memref{{.*}}, %[[X:.*]]: f32, %[[S:.*]]: f32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: %[[R:.*]] = arith.divf %[[ONE]], %[[S]] : f32
  // CHECK: %[[LEAST:.*]] = arith.select {{.*}} : f32
  // CHECK: %[[LEAST:.*]] = arith.select {{.*}} : f32
  // CHECK-NOT: arith.divf
  // CHECK-COUNT-4: memref.load
  // CHECK: %[[GUESS:.*]] = arith.mulf %[[DIVIDEND:.*]], %[[R]] : f32
  // CHECK: %[[MINUS:.*]] = arith.negf %[[GUESS]] : f32
  // CHECK: %[[REST:.*]] = math.fma %[[MINUS]], %[[S]], %[[DIVIDEND]] : f32
  // CHECK: %[[Q:.*]] = math.fma %[[REST]], %[[R]], %[[GUESS]] : f32
  // CHECK: %[[SIZE:.*]] = math.absf %[[Q]] : f32
  // CHECK: arith.cmpf oge, %[[SIZE]], %[[LEAST]] : f32
  // CHECK-COUNT-3: arith.cmpf oge
  // CHECK: %[[ALL:.*]]:4 = scf.if %{{.*}} -> (f32, f32, f32, f32)
  // CHECK: scf.yield %[[Q]]
  // CHECK: } else {
  // CHECK-COUNT-4: arith.cmpf ogt
  // CHECK: scf.if
  // CHECK-COUNT-4: arith.select
  // CHECK: } else {
  // CHECK-COUNT-4: arith.divf %{{.*}}, %[[S]] : f32
  // CHECK: memref.store %[[ALL]]#0
  // CHECK: memref.store %[[ALL]]#3
  gpu.func @group(%p: memref<?xf32, #global>, %x: f32, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %x0 = memref.load %p[%c0] : memref<?xf32, #global>
    %q0 = arith.divf %x0, %s : f32
    %x1 = memref.load %p[%c1] : memref<?xf32, #global>
    %q1 = arith.divf %x1, %s : f32
    %x2 = memref.load %p[%c2] : memref<?xf32, #global>
    %q2 = arith.divf %x2, %s : f32
    %x3 = memref.load %p[%c3] : memref<?xf32, #global>
    %q3 = arith.divf %x3, %s : f32
    memref.store %q0, %p[%c0] : memref<?xf32, #global>
    memref.store %q1, %p[%c1] : memref<?xf32, #global>
    memref.store %q2, %p[%c2] : memref<?xf32, #global>
    memref.store %q3, %p[%c3] : memref<?xf32, #global>
    gpu.return
  }

  // A result that is needed ends its group.
  // CHECK-LABEL: gpu.func @chain
  // CHECK: %[[FIRST:.*]] = scf.if %{{.*}} -> (f64)
  // CHECK: memref.store %[[FIRST]]
  // CHECK: scf.if %{{.*}} -> (f64, f64)
  // CHECK: %[[LAST:.*]] = scf.if %{{.*}} -> (f64) {
  // CHECK: memref.store %[[LAST]]
  gpu.func @chain(%p: memref<?xf64, #global>, %x: f64, %s: f64) kernel {
    %c0 = arith.constant 0 : index
    %q0 = arith.divf %x, %s : f64
    memref.store %q0, %p[%c0] : memref<?xf64, #global>
    %q1 = arith.divf %q0, %s : f64
    %y = arith.addf %x, %q0 : f64
    %q2 = arith.divf %y, %s : f64
    %z = arith.addf %q1, %q2 : f64
    %q3 = arith.divf %z, %s : f64
    memref.store %q3, %p[%c0] : memref<?xf64, #global>
    gpu.return
  }

  // One is enough in a loop, or where the divisor is a number.
  // CHECK-LABEL: gpu.func @loop
  // CHECK: arith.divf
  // CHECK: scf.for
  // CHECK: math.fma
  // CHECK-LABEL: gpu.func @number
  // CHECK: math.fma
  gpu.func @loop(%p: memref<?xf32, #global>, %n: index, %s: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %p[%i] : memref<?xf32, #global>
      %q = arith.divf %x, %s : f32
      memref.store %q, %p[%i] : memref<?xf32, #global>
    }
    gpu.return
  }
  gpu.func @number(%p: memref<?xf32, #global>) kernel {
    %c0 = arith.constant 0 : index
    %third = arith.constant 3.0 : f32
    %x = memref.load %p[%c0] : memref<?xf32, #global>
    %q = arith.divf %x, %third : f32
    memref.store %q, %p[%c0] : memref<?xf32, #global>
    gpu.return
  }
}
