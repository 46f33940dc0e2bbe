// RUN: arr-opt %s --arr-unroll-small-arrays --cse | FileCheck %s

// Arguments, results and state of a host function are arrays in memory.
// CHECK-LABEL: func @no_unroll_outside_of_bodies
// CHECK: array.map
func.func @no_unroll_outside_of_bodies(%a: tensor<3xf32>) -> tensor<3xf32> {
  %r = array.map (%i) in (3) {
    %x = array.at %a[%i] inbounds : tensor<3xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func @no_unroll_large
// CHECK: array.map
// CHECK: array.map (%{{.*}}) in (65)
func.func @no_unroll_large(%n: index, %a: tensor<?x65xf32>) -> tensor<?x65xf32> {
  %r = array.map (%i) in (%n) {
    %p = array.map (%j) in (65) {
      %x = array.at %a[%i, %j] inbounds : tensor<?x65xf32>
      array.yield %x : f32
    } : tensor<65xf32>
    array.yield %p : tensor<65xf32>
  } : tensor<?x65xf32>
  return %r : tensor<?x65xf32>
}

// A choice among more than 16 elements at run time would be a long chain.
// CHECK-LABEL: func @no_long_chain
// CHECK: tensor.from_elements
// CHECK: array.at %{{.*}} inbounds : tensor<17xindex>
func.func @no_long_chain(%n: index, %m: index) -> tensor<?xindex> {
  %r = array.map (%i) in (%n) {
    %p = array.map (%j) in (17) {
      %x = arith.muli %j, %i : index
      array.yield %x : index
    } : tensor<17xindex>
    %k = arith.remui %i, %m : index
    %x = array.at %p[%k] inbounds : tensor<17xindex>
    array.yield %x : index
  } : tensor<?xindex>
  return %r : tensor<?xindex>
}

// CHECK-LABEL: func @map_reduce_table
// CHECK: array.map
// CHECK-NOT: array.map
// CHECK-NOT: array.reduce
// CHECK: %[[X0:.*]] = array.at %{{.*}}[%{{.*}}, %c0{{.*}}] inbounds
// CHECK: %[[P0:.*]] = arith.mulf %[[X0]], %cst
// CHECK: %[[X1:.*]] = array.at
// CHECK: %[[P1:.*]] = arith.mulf %[[X1]], %cst
// CHECK: %[[S:.*]] = arith.addf %[[P0]], %[[P1]] : f32
// CHECK: %[[V:.*]] = tensor.from_elements %[[P0]], %[[P1]]
// CHECK: array.yield %[[V]], %[[S]] : tensor<2xf32>, f32
func.func @map_reduce_table(%n: index, %a: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %w = arith.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %z = arith.constant 0.0 : f32
  %r:2 = array.map (%i) in (%n) {
    %p = array.map (%q) in (2) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x2xf32>
      %c = array.at %w[%q] : tensor<2xf32>
      %y = arith.mulf %x, %c : f32
      array.yield %y : f32
    } : tensor<2xf32>
    %s = array.reduce (%q) in (2) init (%z : f32) {
      %x = array.at %p[%q] : tensor<2xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %p, %s : tensor<2xf32>, f32
  } : tensor<?x2xf32>, tensor<?xf32>
  return %r#0, %r#1 : tensor<?x2xf32>, tensor<?xf32>
}

// A table that permutes: p[opp[q]].
// CHECK-LABEL: func @permuted
// CHECK: tensor.from_elements %[[A:.*]], %[[B:.*]] : tensor<2xf32>
func.func @permuted(%n: index, %a: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %opp = arith.constant dense<[1, 0]> : tensor<2xi64>
  %r = array.map (%i) in (%n) {
    %p = array.map (%q) in (2) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x2xf32>
      array.yield %x : f32
    } : tensor<2xf32>
    %b = array.map (%q) in (2) {
      %o = array.at %opp[%q] : tensor<2xi64>
      %k = arith.index_cast %o : i64 to index
      %x = array.at %p[%k] : tensor<2xf32>
      array.yield %x : f32
    } : tensor<2xf32>
    array.yield %b : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// CHECK-LABEL: func @rows_and_vectors
// CHECK: array.reduce (%[[J:.*]]) in (%{{.*}}) init (%{{.*}}, %{{.*}} : f32, f32)
// CHECK: %[[X:.*]] = array.at %[[P:.*]][%[[J]], %c0{{.*}}] inbounds
// CHECK: array.at %[[P]][%[[J]], %c1{{.*}}] inbounds
// CHECK: arith.subf
// CHECK: arith.subf
// CHECK: array.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK: } by arith.addf{{$}}
func.func @rows_and_vectors(%n: index, %pos: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%j) in (%n) init (%z : tensor<2xf32>) {
      %p = array.view %pos (d0)[s0] -> (s0, d0) [%j] in (2) : tensor<?x2xf32> to tensor<2xf32>
      %q = array.view %pos (d0)[s0] -> (s0, d0) [%i] in (2) : tensor<?x2xf32> to tensor<2xf32>
      %d = arith.subf %p, %q : tensor<2xf32>
      array.yield %d : tensor<2xf32>
    } by arith.addf
    array.yield %s : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// CHECK-LABEL: func @accumulator_of_a_host_fold
// CHECK: %[[S:.*]]:2 = array.reduce (%{{.*}}) in (%{{.*}}) init (%{{.*}}, %{{.*}} : f32, f32)
// CHECK: } by arith.addf
// CHECK: tensor.from_elements %[[S]]#0, %[[S]]#1 : tensor<2xf32>
func.func @accumulator_of_a_host_fold(%n: index, %a: tensor<?x2xf32>) -> tensor<2xf32> {
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %s = array.reduce (%j) in (%n) init (%z : tensor<2xf32>) {
    %p = array.view %a (d0)[s0] -> (s0, d0) [%j] in (2) : tensor<?x2xf32> to tensor<2xf32>
    array.yield %p : tensor<2xf32>
  } by (%x: tensor<2xf32>, %y: tensor<2xf32>) {
    %t = array.map (%q) in (2) {
      %u = array.at %x[%q] : tensor<2xf32>
      %v = array.at %y[%q] : tensor<2xf32>
      %w = arith.addf %u, %v : f32
      array.yield %w : f32
    } : tensor<2xf32>
    array.yield %t : tensor<2xf32>
  }
  return %s : tensor<2xf32>
}

// CHECK-LABEL: func @run_time_index
// CHECK: arith.cmpi eq
// CHECK: arith.select
// CHECK-NOT: array.at
func.func @run_time_index(%n: index, %m: index) -> tensor<?xf32> {
  %w = arith.constant dense<[0.25, 0.5, 1.0]> : tensor<3xf32>
  %r = array.map (%i) in (%n) {
    %k = arith.remui %i, %m : index
    %x = array.at %w[%k] inbounds : tensor<3xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @run_time_index_checked
// CHECK: array.check index %{{.*}}, "index {0} is outside of a dimension of size {1}"
// CHECK: arith.select
func.func @run_time_index_checked(%n: index, %m: index) -> tensor<?xf32> {
  %w = arith.constant dense<[0.25, 0.5, 1.0]> : tensor<3xf32>
  %r = array.map (%i) in (%n) {
    %x = array.at %w[%i] : tensor<3xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @branches
// CHECK: %[[B:.*]]:2 = scf.if %{{.*}} -> (f32, f32)
// CHECK: tensor.from_elements %[[B]]#0, %[[B]]#1
func.func @branches(%n: index, %a: tensor<?x2xf32>, %c: tensor<?xi1>) -> tensor<?x2xf32> {
  %r = array.map (%i) in (%n) {
    %p = array.view %a (d0)[s0] -> (s0, d0) [%i] in (2) : tensor<?x2xf32> to tensor<2xf32>
    %w = array.at %c[%i] inbounds : tensor<?xi1>
    %v = scf.if %w -> tensor<2xf32> {
      %q = array.view %p (d0) -> (1 - d0) in (2) : tensor<2xf32> to tensor<2xf32>
      scf.yield %q : tensor<2xf32>
    } else {
      %q = arith.addf %p, %p : tensor<2xf32>
      scf.yield %q : tensor<2xf32>
    }
    array.yield %v : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// CHECK-LABEL: func @loops
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32)
// CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (f32, f32) -> (f32, f32)
func.func @loops(%n: index, %m: index, %x: f32) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<2xf32>
  %r = array.map (%i) in (%n) {
    %v = scf.for %k = %c0 to %m step %c1 iter_args(%p = %z) -> tensor<2xf32> {
      %y = array.at %p[%c1] : tensor<2xf32>
      %q = tensor.insert %y into %p[%c0] : tensor<2xf32>
      %u = tensor.insert %x into %q[%c1] : tensor<2xf32>
      scf.yield %u : tensor<2xf32>
    }
    %w = scf.while (%p = %v) : (tensor<2xf32>) -> tensor<2xf32> {
      %y = array.at %p[%c1] : tensor<2xf32>
      %go = arith.cmpf olt, %y, %x : f32
      scf.condition(%go) %p : tensor<2xf32>
    } do {
    ^bb0(%p: tensor<2xf32>):
      %q = arith.addf %p, %p : tensor<2xf32>
      scf.yield %q : tensor<2xf32>
    }
    array.yield %w : tensor<2xf32>
  } : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// Elements that are constants fold to one, which stays.
// CHECK-LABEL: func @constant_elements
// CHECK: %[[C:.*]] = arith.constant dense<3.000000e+00> : tensor<3xf32>
// CHECK: array.yield %[[C]]
func.func @constant_elements(%n: index) -> tensor<?x3xf32> {
  %r = array.map (%i) in (%n) {
    %p = array.map (%j) in (3) {
      %x = arith.constant 3.0 : f32
      array.yield %x : f32
    } : tensor<3xf32>
    array.yield %p : tensor<3xf32>
  } : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// A sum of products is a chain of fma.
// CHECK-LABEL: func @sum_of_products
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NOT: arith.addf
// CHECK: math.fma %{{.*}}, %{{.*}}, %[[P]]
func.func @sum_of_products(%n: index, %a: tensor<?x2xf32>, %z: f32) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%q) in (2) init (%z : f32) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x2xf32>
      %y = arith.mulf %x, %x fastmath<contract> : f32
      array.yield %y : f32
    } by arith.addf fastmath<contract>
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A row of more than eight elements in memory is left to several lanes.
// CHECK-LABEL: func @long_row
// CHECK: array.map
// CHECK: array.reduce {{.*}} in (9)
// CHECK: array.map {{.*}} in (9)
func.func @long_row(%n: index, %a: tensor<?x9xf32>, %z: f32) -> tensor<?x9xf32> {
  %r = array.map (%i) in (%n) {
    %row = array.view %a (d0)[s0] -> (s0, d0) [%i] in (9) : tensor<?x9xf32> to tensor<9xf32>
    %s = array.reduce (%q) in (9) init (%z : f32) {
      %x = array.at %row[%q] inbounds : tensor<9xf32>
      array.yield %x : f32
    } by arith.addf
    %p = array.map (%q) in (9) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x9xf32>
      %y = arith.divf %x, %s : f32
      array.yield %y : f32
    } : tensor<9xf32>
    array.yield %p : tensor<9xf32>
  } : tensor<?x9xf32>
  return %r : tensor<?x9xf32>
}

// So is a product with it.
// CHECK-LABEL: func @product
// CHECK: array.reduce
func.func @product(%n: index, %a: tensor<?x9xf32>, %b: tensor<9x?xf32>, %z: f32) -> tensor<?x?xf32> {
  %r = array.map (%i, %j) in (%n, %n) {
    %s = array.reduce (%q) in (9) init (%z : f32) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x9xf32>
      %y = array.at %b[%q, %j] inbounds : tensor<9x?xf32>
      %p = arith.mulf %x, %y : f32
      array.yield %p : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Not where a place is computed of its index,
// CHECK-LABEL: func @shifted
// CHECK-NOT: array.reduce
func.func @shifted(%n: index, %a: tensor<?x9xf32>, %z: f32) -> tensor<?xf32> {
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%q) in (9) init (%z : f32) {
      %p = affine.apply affine_map<(d0) -> (8 - d0)>(%q)
      %x = array.at %a[%i, %p] inbounds : tensor<?x9xf32>
      array.yield %x : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// where a table is read beside it, whose elements are constants,
// CHECK-LABEL: func @weighted
// CHECK-NOT: array.reduce
func.func @weighted(%n: index, %a: tensor<?x9xf32>, %z: f32) -> tensor<?xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<9xf32>
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%q) in (9) init (%z : f32) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x9xf32>
      %y = array.at %w[%q] inbounds : tensor<9xf32>
      %p = arith.mulf %x, %y : f32
      array.yield %p : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// or one element of it by its number.
// CHECK-LABEL: func @number
// CHECK-NOT: array.reduce
func.func @number(%n: index, %a: tensor<?x9xf32>, %z: f32) -> tensor<?xf32> {
  %c = arith.constant 3 : index
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%q) in (9) init (%z : f32) {
      %x = array.at %a[%i, %q] inbounds : tensor<?x9xf32>
      array.yield %x : f32
    } by arith.addf
    %x = array.at %a[%i, %c] inbounds : tensor<?x9xf32>
    %y = arith.mulf %s, %x : f32
    array.yield %y : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Where a loop replaces elements of more than 16 at places that the program computes, all stay in
// memory: each would be a selection for every one of them.
// CHECK-LABEL: func @walked
// CHECK: scf.for {{.*}} -> (tensor<20xf32>)
// CHECK: tensor.insert
// CHECK-NOT: arith.select
func.func @walked(%n: index, %k: index, %a: tensor<?x?xindex>, %v: f32) -> tensor<?x20xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = array.map (%i) in (%n) {
    %h = tensor.splat %v : tensor<20xf32>
    %w = scf.for %j = %c0 to %k step %c1 iter_args(%g = %h) -> (tensor<20xf32>) {
      %p = array.at %a[%i, %j] inbounds : tensor<?x?xindex>
      %x = tensor.insert %v into %g[%p] : tensor<20xf32>
      scf.yield %x : tensor<20xf32>
    }
    array.yield %w : tensor<20xf32>
  } : tensor<?x20xf32>
  return %r : tensor<?x20xf32>
}

// The indices of a window say how far places are from another one, and which
// weight is theirs.
// CHECK-LABEL: func @weighted_window
// CHECK-NOT: array.reduce
// CHECK: return
func.func @weighted_window(%n: index, %a: tensor<?xf32>, %w: tensor<100xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%p) in (100) init (%z : f32) {
      %k = arith.addi %i, %p : index
      %x = array.at %a[%k] inbounds : tensor<?xf32>
      %c = array.at %w[%p] inbounds : tensor<100xf32>
      %y = arith.mulf %x, %c : f32
      array.yield %y : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Rows of a hundred numbers are none.
// CHECK-LABEL: func @rows_of_a_hundred
// CHECK: array.reduce
func.func @rows_of_a_hundred(%n: index, %a: tensor<?x100xf32>, %w: tensor<100xf32>) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%i) in (%n) {
    %s = array.reduce (%p) in (100) init (%z : f32) {
      %x = array.at %a[%i, %p] inbounds : tensor<?x100xf32>
      %c = array.at %w[%p] inbounds : tensor<100xf32>
      %y = arith.mulf %x, %c : f32
      array.yield %y : f32
    } by arith.addf
    array.yield %s : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
