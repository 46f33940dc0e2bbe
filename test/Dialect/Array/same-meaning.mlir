// The passes change no result: the evaluator prints the same before and after.
// Floats are whole numbers, so that sums are exact.
//
// RUN: arr-opt %s -o /dev/null --pass-pipeline='builtin.module(arr-evaluate{function=lattice sizes=4,5,4,5 seed=1 whole-floats},func.func(arr-unroll-small-arrays,canonicalize,cse,arr-check-stencils,arr-prove-bounds,canonicalize,arr-hoist-invariants,arr-flatten-branches,arr-fuse-producers,arr-unroll-small-arrays,canonicalize,cse,arr-prove-bounds),arr-evaluate{function=lattice sizes=4,5,4,5 seed=1 whole-floats})' | FileCheck %s
// RUN: arr-opt %s -o /dev/null --pass-pipeline='builtin.module(arr-evaluate{function=boundaries sizes=6 seed=2 whole-floats},func.func(canonicalize,arr-prove-bounds,arr-fuse-producers,canonicalize,cse,arr-prove-bounds),arr-evaluate{function=boundaries sizes=6 seed=2 whole-floats})' | FileCheck %s
// RUN: arr-opt %s -o /dev/null --pass-pipeline='builtin.module(arr-evaluate{function=boundaries sizes=1 seed=3 whole-floats},func.func(canonicalize,arr-prove-bounds,arr-fuse-producers,canonicalize,cse,arr-prove-bounds),arr-evaluate{function=boundaries sizes=1 seed=3 whole-floats})' | FileCheck %s
// RUN: arr-opt %s -o /dev/null --pass-pipeline='builtin.module(arr-evaluate{function=bodies sizes=5,5 seed=4 whole-floats},func.func(arr-unroll-small-arrays,canonicalize,cse,arr-prove-bounds,arr-fuse-producers,arr-unroll-small-arrays,canonicalize,cse,arr-flatten-branches,canonicalize),arr-evaluate{function=bodies sizes=5,5 seed=4 whole-floats})' | FileCheck %s
// CHECK: [[R:result 0: .*]]
// CHECK-NEXT: [[R]]

// Streaming and a wall that reflects, on two populations.
func.func @lattice(%f0: tensor<?x?x3xf32>, %w0: tensor<?x?xi1>) -> tensor<?x?x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %f0, %c0 : tensor<?x?x3xf32>
  %m = tensor.dim %f0, %c1 : tensor<?x?x3xf32>
  %f = array.bind %f0 [%n, %m, 3] : tensor<?x?x3xf32>
  %wall = array.bind %w0 [%n, %m] : tensor<?x?xi1>
  %cx = arith.constant dense<[0, 1, -1]> : tensor<3xi64>
  %opp = arith.constant dense<[0, 2, 1]> : tensor<3xi64>
  %z = arith.constant 0.0 : f32
  %g = array.extend %f [wrap, wrap, none] : tensor<?x?x3xf32>
  %r = array.stencil (%i, %j) in (%n, %m) {
    %p = array.map (%q) in (3) {
      %c = array.at %cx[%q] : tensor<3xi64>
      %k = arith.index_cast %c : i64 to index
      %x = arith.subi %i, %k : index
      %v = array.at %g[%x, %j, %q] : tensor<?x?x3xf32>
      array.yield %v : f32
    } : tensor<3xf32>
    %w = array.at %wall[%i, %j] : tensor<?x?xi1>
    %o = scf.if %w -> tensor<3xf32> {
      %b = array.map (%q) in (3) {
        %t = array.at %opp[%q] : tensor<3xi64>
        %k = arith.index_cast %t : i64 to index
        %v = array.at %p[%k] : tensor<3xf32>
        array.yield %v : f32
      } : tensor<3xf32>
      scf.yield %b : tensor<3xf32>
    } else {
      %s = array.reduce (%q) in (3) init (%z : f32) {
        %v = array.at %p[%q] : tensor<3xf32>
        array.yield %v : f32
      } by arith.addf
      %t = tensor.splat %s : tensor<3xf32>
      %d = arith.subf %t, %p : tensor<3xf32>
      scf.yield %d : tensor<3xf32>
    }
    array.yield %o : tensor<3xf32>
  } : tensor<?x?x3xf32>
  return %r : tensor<?x?x3xf32>
}

// Every mode, through producers that read and that use their index.
func.func @boundaries(%a0: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %t = array.map (%i) in (%n) {
    %x = array.at %a[%i] : tensor<?xf32>
    %y = arith.addf %x, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  %s = array.map (%i) in (%n) {
    %k = arith.index_cast %i : index to i64
    %x = arith.sitofp %k : i64 to f32
    array.yield %x : f32
  } : tensor<?xf32>
  %u0 = array.extend %t [clamp] : tensor<?xf32>
  %u1 = array.extend %t [wrap] : tensor<?xf32>
  %u2 = array.extend %s [mirror] : tensor<?xf32>
  %u3 = array.extend %s [reflect] : tensor<?xf32>
  %u4 = array.extend %s [clamp] : tensor<?xf32>
  %u5 = array.extend %s [wrap] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %l = affine.apply affine_map<(d0) -> (d0 - 3)>(%i)
    %h = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %0 = array.at %u0[%l] : tensor<?xf32>
    %1 = array.at %u1[%h] : tensor<?xf32>
    %2 = array.at %u2[%l] : tensor<?xf32>
    %3 = array.at %u3[%h] : tensor<?xf32>
    %4 = array.at %u4[%h] : tensor<?xf32>
    %5 = array.at %u5[%l] : tensor<?xf32>
    %c8 = arith.constant 8.0 : f32
    %s0 = arith.mulf %0, %c8 : f32
    %s1 = arith.addf %s0, %1 : f32
    %s2 = arith.mulf %s1, %c8 : f32
    %s3 = arith.addf %s2, %2 : f32
    %s4 = arith.mulf %s3, %c8 : f32
    %s5 = arith.addf %s4, %3 : f32
    %s6 = arith.mulf %s5, %c8 : f32
    %s7 = arith.addf %s6, %4 : f32
    %s8 = arith.mulf %s7, %c8 : f32
    %s9 = arith.addf %s8, %5 : f32
    array.yield %s9 : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Vectors of two, folded, updated, chosen by a branch.
func.func @bodies(%p0: tensor<?x2xf32>, %v0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %p0, %c0 : tensor<?x2xf32>
  %p = array.bind %p0 [%n, 2] : tensor<?x2xf32>
  %v = array.bind %v0 [%n, 2] : tensor<?x2xf32>
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %acc = array.map (%i) in (%n) {
    %s = array.reduce (%j) in (%n) init (%z : tensor<2xf32>) {
      %a = array.view %p (d0)[s0] -> (s0, d0) [%j] in (2) : tensor<?x2xf32> to tensor<2xf32>
      %b = array.view %p (d0)[s0] -> (s0, d0) [%i] in (2) : tensor<?x2xf32> to tensor<2xf32>
      %d = arith.subf %a, %b : tensor<2xf32>
      array.yield %d : tensor<2xf32>
    } by arith.addf
    array.yield %s : tensor<2xf32>
  } : tensor<?x2xf32>
  %r = array.map (%i) in (%n) {
    %a = array.view %acc (d0)[s0] -> (s0, d0) [%i] in (2) : tensor<?x2xf32> to tensor<2xf32>
    %b = array.view %v (d0)[s0] -> (s0, d0) [%i] in (2) : tensor<?x2xf32> to tensor<2xf32>
    %x = array.at %a[%c0] : tensor<2xf32>
    %y = array.at %b[%c1] : tensor<2xf32>
    %c = arith.cmpf ogt, %x, %y : f32
    %o = scf.if %c -> tensor<2xf32> {
      %d = arith.addf %a, %b : tensor<2xf32>
      scf.yield %d : tensor<2xf32>
    } else {
      %k = arith.remui %i, %c1 : index
      %d = tensor.insert %x into %b[%k] : tensor<2xf32>
      scf.yield %d : tensor<2xf32>
    }
    array.yield %o : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// RUN: arr-opt %s -o /dev/null --pass-pipeline='builtin.module(arr-evaluate{function=steps sizes=5,5 seed=5 whole-floats},func.func(arr-choose-layouts,canonicalize,cse),arr-evaluate{function=steps sizes=5,5 seed=5 whole-floats})' | FileCheck %s
// RUN: arr-opt %s -o /dev/null --pass-pipeline='builtin.module(arr-evaluate{function=steps sizes=0,0 seed=5 whole-floats},func.func(arr-choose-layouts,canonicalize,cse),arr-evaluate{function=steps sizes=0,0 seed=5 whole-floats})' | FileCheck %s

// Two states of vectors in a time loop.
func.func @steps(%a0: tensor<?x2xf32>, %b0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a0, %c0 : tensor<?x2xf32>
  %ab = array.bind %a0 [%n, 2] : tensor<?x2xf32>
  %bb = array.bind %b0 [%n, 2] : tensor<?x2xf32>
  %r:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%a1 = %ab, %b1 = %bb) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
    %a = array.bind %a1 [%n, 2] : tensor<?x2xf32>
    %b = array.bind %b1 [%n, 2] : tensor<?x2xf32>
    %u = array.extend %b [mirror, none] : tensor<?x2xf32>
    %g = array.map (%i) in (%n) {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %x = array.at %a[%i, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %u[%k, %c1] inbounds : tensor<?x2xf32>
      %z = arith.subf %x, %y : f32
      %v = tensor.from_elements %y, %z : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    scf.yield %b1, %g : tensor<?x2xf32>, tensor<?x2xf32>
  }
  return %r#1 : tensor<?x2xf32>
}
