// RUN: arr-opt %s --arr-join-steps --split-input-file | FileCheck %s
// RUN: arr-opt %s --arr-join-steps --arr-fuse-producers=work-per-byte=8 --canonicalize --split-input-file | FileCheck %s --check-prefix=FUSED
// RUN: arr-opt %s --arr-join-steps=work-per-byte=0 --split-input-file | FileCheck %s --check-prefix=PLAIN

// Each step has its number, and an odd one is left.
// CHECK-LABEL: @heat
// CHECK-SAME: (%[[U0:.*]]: tensor<?x?xf32>, %[[N:.*]]: index, %[[L:.*]]: index, %[[U:.*]]: index, %
// CHECK: %[[END:.*]] = arith.maxsi %[[U]], %[[L]]
// CHECK: %[[COUNT:.*]] = arith.subi %[[END]], %[[L]]
// CHECK: %[[PAIRS:.*]] = arith.divui %[[COUNT]], %
// CHECK: %[[JOINED:.*]] = scf.for %[[K:.*]] = %{{.*}} to %[[PAIRS]] step %{{.*}} iter_args(%[[A:.*]] = %[[U0]])
// CHECK: %[[TWICE:.*]] = arith.muli %[[K]], %
// CHECK: array.extend %[[A]]
// CHECK: %[[FIRST:.*]] = array.stencil
// CHECK: %[[T:.*]] = arith.addi %[[L]], %[[TWICE]]
// CHECK: arith.addi %[[T]], %c1
// CHECK: array.extend %[[FIRST]]
// CHECK: %[[SECOND:.*]] = array.stencil
// CHECK: scf.yield %[[SECOND]]
// CHECK: %[[TAKEN:.*]] = arith.muli %[[PAIRS]], %
// CHECK: %[[REST:.*]] = arith.addi %[[L]], %[[TAKEN]]
// CHECK: scf.for %{{.*}} = %[[REST]] to %[[U]] step %{{.*}} iter_args(%{{.*}} = %[[JOINED]])
// FUSED-LABEL: @heat
// FUSED-COUNT-2: array.stencil
// FUSED-NOT: array.stencil
// PLAIN-LABEL: @heat
// PLAIN-COUNT-1: scf.for
// PLAIN-NOT: scf.for
func.func @heat(%u0: tensor<?x?xf32>, %n: index, %l: index, %u: index, %w: f32) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %l to %u step %c1 iter_args(%a = %u0) -> tensor<?x?xf32> {
    %e = array.extend %a [clamp, clamp] : tensor<?x?xf32>
    %b = array.stencil (%i, %j) in (%n, %n) reach [-1 to 1, -1 to 1] {
      %i0 = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %j0 = affine.apply affine_map<(d0) -> (d0 - 1)>(%j)
      %j1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      %x = array.at %e[%i0, %j] inbounds : tensor<?x?xf32>
      %y = array.at %e[%i1, %j] inbounds : tensor<?x?xf32>
      %p = array.at %e[%i, %j0] inbounds : tensor<?x?xf32>
      %q = array.at %e[%i, %j1] inbounds : tensor<?x?xf32>
      %s = arith.addf %x, %y : f32
      %v = arith.addf %p, %q : f32
      %o = arith.addf %s, %v : f32
      %z = arith.mulf %o, %w : f32
      array.yield %z : f32
    } : tensor<?x?xf32>
    scf.yield %b : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// -----

// Of a state of two times the one between the steps is stored as well.
// PLAIN-LABEL: @wave
// CHECK-LABEL: @wave
// CHECK: scf.for
// CHECK-COUNT-3: array.stencil
// CHECK: scf.yield
// CHECK: scf.for
// FUSED-LABEL: @wave
// FUSED: scf.for
// FUSED-COUNT-2: array.stencil
// FUSED-NOT: array.stencil
// FUSED: scf.for
func.func @wave(%u0: tensor<?xf32>, %n: index, %steps: index, %c: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%old = %u0, %u = %u0) -> (tensor<?xf32>, tensor<?xf32>) {
    %e = array.extend %u [wrap] : tensor<?xf32>
    %next = array.stencil (%i) in (%n) reach [-1 to 1] {
      %i0 = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %x = array.at %e[%i0] inbounds : tensor<?xf32>
      %y = array.at %e[%i1] inbounds : tensor<?xf32>
      %o = array.at %old[%i] inbounds : tensor<?xf32>
      %s = arith.addf %x, %y : f32
      %m = arith.mulf %s, %c : f32
      %v = arith.subf %m, %o : f32
      array.yield %v : f32
    } : tensor<?xf32>
    scf.yield %u, %next : tensor<?xf32>, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// A fold of each step needs the state between.
// CHECK-LABEL: @no_fold
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @no_fold(%u0: tensor<?xf32>, %n: index, %steps: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %u0, %f = %zero) -> (tensor<?xf32>, f32) {
    %e = array.extend %u [wrap] : tensor<?xf32>
    %next = array.stencil (%i) in (%n) reach [0 to 1] {
      %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %x = array.at %e[%i] inbounds : tensor<?xf32>
      %y = array.at %e[%i1] inbounds : tensor<?xf32>
      %s = arith.addf %x, %y : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %sum = array.reduce (%i) in (%n) init (%f : f32) {
      %x = array.at %next[%i] inbounds : tensor<?xf32>
      array.yield %x : f32
    } by arith.addf
    scf.yield %next, %sum : tensor<?xf32>, f32
  }
  return %r#1 : f32
}

// -----

// Six more exponentials for an element take longer than memory.
// CHECK-LABEL: @no_exponentials
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @no_exponentials(%u0: tensor<?xf32>, %n: index, %steps: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %steps step %c1 iter_args(%u = %u0) -> tensor<?xf32> {
    %e = array.extend %u [wrap] : tensor<?xf32>
    %next = array.stencil (%i) in (%n) reach [-1 to 1] {
      %i0 = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %i1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %x = array.at %e[%i0] inbounds : tensor<?xf32>
      %y = array.at %e[%i] inbounds : tensor<?xf32>
      %z = array.at %e[%i1] inbounds : tensor<?xf32>
      %p = math.exp %x : f32
      %q = math.exp %y : f32
      %s = math.exp %z : f32
      %v = arith.addf %p, %q : f32
      %w = arith.addf %v, %s : f32
      array.yield %w : f32
    } : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
