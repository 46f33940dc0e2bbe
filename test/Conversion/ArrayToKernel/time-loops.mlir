// RUN: arr-opt %s --arrc-form-pipeline --arrc-buffer-pipeline | FileCheck %s

// Steps of time loops copy nothing and allocate nothing.

// CHECK-LABEL: @heat
// CHECK: kernel.iterate while
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.launch
// CHECK-NOT: kernel.launch
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.continue
func.func @heat(%t0: tensor<?x?xf32> {bufferization.writable = false}, %tol: f32, %max: i64) -> (tensor<?x?xf32>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zi = arith.constant 0 : i64
  %oi = arith.constant 1 : i64
  %n = tensor.dim %t0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %t0, %c1 : tensor<?x?xf32>
  %inf = arith.constant 0x7F800000 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %q = arith.constant 0.25 : f32
  %tt = array.bind %t0 [%n, %m] : tensor<?x?xf32>
  %r:3 = scf.while (%t = %tt, %err = %inf, %it = %zi) : (tensor<?x?xf32>, f32, i64) -> (tensor<?x?xf32>, f32, i64) {
    %p = arith.cmpf ogt, %err, %tol : f32
    %k = arith.cmpi slt, %it, %max : i64
    %c = arith.andi %p, %k : i1
    scf.condition(%c) %t, %err, %it : tensor<?x?xf32>, f32, i64
  } do {
  ^bb0(%t: tensor<?x?xf32>, %err: f32, %it: i64):
    %tb = array.bind %t [%n, %m] : tensor<?x?xf32>
    %u = array.extend %tb [clamp, clamp] : tensor<?x?xf32>
    %next = array.stencil (%i "i", %j "j") in (%n, %m) {
      %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %a = array.at %u[%im, %j] inbounds : tensor<?x?xf32>
      %b = array.at %u[%ip, %j] inbounds : tensor<?x?xf32>
      %s = arith.addf %a, %b : f32
      %v = arith.mulf %s, %q : f32
      array.yield %v : f32
    } : tensor<?x?xf32>
    %e = array.reduce (%i "i", %j "j") in (%n, %m) init (%ninf : f32) {
      %a = array.at %next[%i, %j] inbounds : tensor<?x?xf32>
      %b = array.at %tb[%i, %j] inbounds : tensor<?x?xf32>
      %df = arith.subf %a, %b : f32
      %ab = math.absf %df : f32
      array.yield %ab : f32
    } by arith.maximumf
    %it1 = arith.addi %it, %oi : i64
    scf.yield %next, %e, %it1 : tensor<?x?xf32>, f32, i64
  }
  return %r#0, %r#2 : tensor<?x?xf32>, i64
}

// (um, u) = (u, next): no second buffer.

// CHECK-LABEL: @leapfrog
// CHECK: kernel.iterate times (%{{.*}} in %{{.*}}) carry (%{{.*}}[%{{.*}}] = %{{.*}} : memref<?xf32>, %{{.*}}[%{{.*}}] = %{{.*}} : memref<?xf32>) {
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.continue
func.func @leapfrog(%um0: tensor<?xf32> {bufferization.writable = false}, %u0: tensor<?xf32> {bufferization.writable = false}, %steps: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %um0, %c0 : tensor<?xf32>
  %uma = array.bind %um0 [%n] : tensor<?xf32>
  %ua = array.bind %u0 [%n] : tensor<?xf32>
  %ns = arith.index_cast %steps : i64 to index
  %r:2 = scf.for %k = %c0 to %ns step %c1 iter_args(%um = %uma, %u = %ua) -> (tensor<?xf32>, tensor<?xf32>) {
    %ub = array.bind %u [%n] : tensor<?xf32>
    %umb = array.bind %um [%n] : tensor<?xf32>
    %ue = array.extend %ub [wrap] : tensor<?xf32>
    %next = array.map (%i "i") in (%n) {
      %im = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %a = array.at %ue[%im] inbounds : tensor<?xf32>
      %b = array.at %ue[%ip] inbounds : tensor<?xf32>
      %o = array.at %umb[%i] inbounds : tensor<?xf32>
      %s = arith.addf %a, %b : f32
      %t = arith.subf %s, %o : f32
      array.yield %t : f32
    } : tensor<?xf32>
    scf.yield %ub, %next : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// Positions are read by all bodies, velocities by their own alone: one second
// buffer for both. The accelerations stay in the kernel.

// CHECK-LABEL: @nbody
// CHECK: %{{.*}}:3 = kernel.iterate times
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: kernel.continue
func.func @nbody(%p0: tensor<?xf32> {bufferization.writable = false}, %v0: tensor<?xf32> {bufferization.writable = false}, %dt: f32, %steps: i64) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %p0, %c0 : tensor<?xf32>
  %pa = array.bind %p0 [%n] : tensor<?xf32>
  %va = array.bind %v0 [%n] : tensor<?xf32>
  %ns = arith.index_cast %steps : i64 to index
  %r:2 = scf.for %k = %c0 to %ns step %c1 iter_args(%p = %pa, %v = %va) -> (tensor<?xf32>, tensor<?xf32>) {
    %acc = array.map (%i "i") in (%n) {
      %a = array.reduce (%j "j") in (%n) init (%z : f32) {
        %x = array.at %p[%j] inbounds : tensor<?xf32>
        %y = array.at %p[%i] inbounds : tensor<?xf32>
        %d = arith.subf %x, %y : f32
        array.yield %d : f32
      } by arith.addf
      array.yield %a : f32
    } : tensor<?xf32>
    %q, %w = array.map (%i "i") in (%n) {
      %a = array.at %acc[%i] inbounds : tensor<?xf32>
      %x = array.at %p[%i] inbounds : tensor<?xf32>
      %y = array.at %v[%i] inbounds : tensor<?xf32>
      %y1 = math.fma %dt, %a, %y : f32
      %x1 = math.fma %dt, %y1, %x : f32
      array.yield %x1, %y1 : f32, f32
    } : tensor<?xf32>, tensor<?xf32>
    scf.yield %q, %w : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// A loop in a loop: what is updated in place stays in its buffer, an inner pair of
// buffers is made once, outside.

// CHECK-LABEL: @nested
// CHECK: kernel.iterate times
// CHECK-NOT: memref.alloc
// CHECK: kernel.iterate times
// CHECK: kernel.continue
// CHECK-NOT: memref.alloc
// CHECK: kernel.iterate times
// CHECK: kernel.continue
// CHECK-NOT: memref.alloc
// CHECK: kernel.continue
// CHECK: memref.dealloc
// CHECK: memref.dealloc
// CHECK: return
func.func @nested(%u0: tensor<?xf32> {bufferization.writable = false}, %steps0: i64) -> tensor<?xf32> {
  %steps = arith.index_cast %steps0 : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %u0, %c0 : tensor<?xf32>
  %ua = array.bind %u0 [%n] : tensor<?xf32>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%u = %ua) -> (tensor<?xf32>) {
    %ub = array.bind %u [%n] : tensor<?xf32>
    %x = scf.for %l = %c0 to %k step %c1 iter_args(%w = %ub) -> (tensor<?xf32>) {
      %wb = array.bind %w [%n] : tensor<?xf32>
      %s = array.map (%i "i") in (%n) {
        %a = array.at %wb[%i] inbounds : tensor<?xf32>
        %t = arith.addf %a, %a : f32
        array.yield %t : f32
      } : tensor<?xf32>
      scf.yield %s : tensor<?xf32>
    }
    %xb = array.bind %x [%n] : tensor<?xf32>
    %y = scf.for %l = %c0 to %k step %c1 iter_args(%w = %xb) -> (tensor<?xf32>) {
      %wb = array.bind %w [%n] : tensor<?xf32>
      %e = array.extend %wb [wrap] : tensor<?xf32>
      %s = array.map (%i "i") in (%n) {
        %ip = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %a = array.at %e[%ip] inbounds : tensor<?xf32>
        array.yield %a : f32
      } : tensor<?xf32>
      scf.yield %s : tensor<?xf32>
    }
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
