// RUN: arr-opt %s --arr-choose-layouts --canonicalize | FileCheck %s
// RUN: arr-opt %s --arr-choose-layouts -o /dev/null --remark-format=emitRemark --remarks-filter='choose-layouts' 2>&1 | FileCheck %s --check-prefix=REMARK

// In the order of the functions: refused, too dear, and done.
// REMARK: [Missed] CarryComponents {{.*}}stays whole: the loop uses more of it than components by constant numbers
// REMARK: [Missed] CarryComponents {{.*}}stays whole: the loop uses more of it than components by constant numbers
// REMARK: [Missed] CarryComponents {{.*}}copying to components and back costs 32 sectors for 32 points, and a step saves 8: too much for 3 steps
// REMARK: [Passed] CarryComponents {{.*}}carries 1 arrays of small vectors by component: a step saves 8 sectors for 32 points
// REMARK: [Passed] CarryComponents {{.*}}carries 2 arrays
// REMARK: [Passed] CarryComponents {{.*}}carries 1 arrays of small vectors by component: a step saves 8 sectors for 32 points
// REMARK: [Passed] CarryComponents {{.*}}carries 1 arrays of small vectors by component: a step saves 8 sectors for 32 points
// REMARK: [Missed] CarryComponents {{.*}}stays whole: the loop uses more of it than components by constant numbers
// REMARK: [Missed] CarryComponents {{.*}}stays whole: it becomes an array that is carried whole, too

// A run-time index needs the whole vector.
// CHECK-LABEL: func @no_split_run_time_index
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (tensor<?x2xf32>)
func.func @no_split_run_time_index(%f0: tensor<?x2xf32>, %s: index, %k: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %f0, %c0 : tensor<?x2xf32>
  %fb = array.bind %f0 [%n, 2] : tensor<?x2xf32>
  %r = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb) -> tensor<?x2xf32> {
    %f = array.bind %f1 [%n, 2] : tensor<?x2xf32>
    %g = array.map (%i) in (%n) {
      %x = array.at %f[%i, %k] inbounds : tensor<?x2xf32>
      %v = tensor.from_elements %x, %x : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    scf.yield %g : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// In a loop of the loop two copies would be made in every step.
// CHECK-LABEL: func @no_split_inner_loop
// CHECK-COUNT-2: iter_args(%{{.*}} = %{{.*}}) -> (tensor<?x2xf32>)
func.func @no_split_inner_loop(%f0: tensor<?x2xf32>, %s: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %f0, %c0 : tensor<?x2xf32>
  %fb = array.bind %f0 [%n, 2] : tensor<?x2xf32>
  %r = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb) -> tensor<?x2xf32> {
    %f2 = array.bind %f1 [%n, 2] : tensor<?x2xf32>
    %q = scf.for %u = %c0 to %s step %c1 iter_args(%f3 = %f2) -> tensor<?x2xf32> {
      %f = array.bind %f3 [%n, 2] : tensor<?x2xf32>
      %g = array.map (%i) in (%n) {
        %x = array.at %f[%i, %c0] inbounds : tensor<?x2xf32>
        %v = tensor.from_elements %x, %x : tensor<2xf32>
        array.yield %v : tensor<2xf32>
      } : tensor<?x2xf32>
      scf.yield %g : tensor<?x2xf32>
    }
    scf.yield %q : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// Three steps save less than two copies.
// CHECK-LABEL: func @no_split_few_steps
// CHECK: iter_args(%{{.*}} = %{{.*}}) -> (tensor<?x2xf32>)
func.func @no_split_few_steps(%f0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant 3 : index
  %n = tensor.dim %f0, %c0 : tensor<?x2xf32>
  %fb = array.bind %f0 [%n, 2] : tensor<?x2xf32>
  %r = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb) -> tensor<?x2xf32> {
    %f = array.bind %f1 [%n, 2] : tensor<?x2xf32>
    %g = array.map (%i) in (%n) {
      %x = array.at %f[%i, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %f[%i, %c1] inbounds : tensor<?x2xf32>
      %v = tensor.from_elements %y, %x : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    scf.yield %g : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// What is no time loop keeps the order of the program: its arrays are read once.
// CHECK-LABEL: func @no_split_map
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.constant
// CHECK-NEXT: array.map
// CHECK-NEXT: array.at
// CHECK-NEXT: array.at
// CHECK-NEXT: tensor.from_elements
func.func @no_split_map(%n: index, %f: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = array.map (%i) in (%n) {
    %x = array.at %f[%i, %c0] inbounds : tensor<?x2xf32>
    %y = array.at %f[%i, %c1] inbounds : tensor<?x2xf32>
    %v = tensor.from_elements %y, %x : tensor<2xf32>
    array.yield %v : tensor<2xf32>
  } : tensor<?x2xf32>
  return %g : tensor<?x2xf32>
}

// CHECK-LABEL: func @lattice
// CHECK: %[[I:.*]]:2 = array.map
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[I]]#0, %[[B:.*]] = %[[I]]#1) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK:   %[[BB:.*]] = array.bind %[[B]]
// CHECK:   %[[E:.*]] = array.extend %[[BB]] [wrap]
// CHECK:   %[[G:.*]]:2 = array.stencil
// CHECK:     array.at %[[E]]
// CHECK:     array.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK:   } : tensor<?xf32>, tensor<?xf32>
// CHECK:   scf.yield %[[G]]#0, %[[G]]#1
// CHECK: array.map
// CHECK:   tensor.from_elements
func.func @lattice(%f0: tensor<?x2xf32>, %s: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %f0, %c0 : tensor<?x2xf32>
  %fb = array.bind %f0 [%n, 2] : tensor<?x2xf32>
  %r = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb) -> tensor<?x2xf32> {
    %f = array.bind %f1 [%n, 2] : tensor<?x2xf32>
    %u = array.extend %f [wrap, none] : tensor<?x2xf32>
    %g = array.stencil (%i) in (%n) reach [-1 to 0] {
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %x = array.at %f[%i, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %u[%k, %c1] inbounds : tensor<?x2xf32>
      %z = arith.addf %x, %y : f32
      %v = tensor.from_elements %y, %z : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    scf.yield %g : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// Two arrays that change places, in a loop with a condition.
// CHECK-LABEL: func @swapped
// CHECK: scf.while {{.*}} : (i64, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
func.func @swapped(%a0: tensor<?x2xf32>, %b0: tensor<?x2xf32>, %max: i64) -> (tensor<?x2xf32>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %a0, %c0 : tensor<?x2xf32>
  %ab = array.bind %a0 [%n, 2] : tensor<?x2xf32>
  %bb = array.bind %b0 [%n, 2] : tensor<?x2xf32>
  %r:3 = scf.while (%a = %ab, %b = %bb, %k = %zero) : (tensor<?x2xf32>, tensor<?x2xf32>, i64) -> (tensor<?x2xf32>, tensor<?x2xf32>, i64) {
    %go = arith.cmpi slt, %k, %max : i64
    scf.condition(%go) %a, %b, %k : tensor<?x2xf32>, tensor<?x2xf32>, i64
  } do {
  ^bb0(%a1: tensor<?x2xf32>, %b1: tensor<?x2xf32>, %k: i64):
    %a = array.bind %a1 [%n, 2] : tensor<?x2xf32>
    %b = array.bind %b1 [%n, 2] : tensor<?x2xf32>
    %g = array.map (%i) in (%n) {
      %x = array.at %a[%i, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %b[%i, %c1] inbounds : tensor<?x2xf32>
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %x, %y : f32
      %v = tensor.from_elements %z, %w : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    %l = arith.addi %k, %one : i64
    scf.yield %b1, %g, %l : tensor<?x2xf32>, tensor<?x2xf32>, i64
  }
  return %r#0, %r#2 : tensor<?x2xf32>, i64
}

// Four are enough.
// CHECK-LABEL: func @enough_steps
// CHECK: iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<?xf32>, tensor<?xf32>)
func.func @enough_steps(%f0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = arith.constant 4 : index
  %n = tensor.dim %f0, %c0 : tensor<?x2xf32>
  %fb = array.bind %f0 [%n, 2] : tensor<?x2xf32>
  %r = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb) -> tensor<?x2xf32> {
    %f = array.bind %f1 [%n, 2] : tensor<?x2xf32>
    %g = array.map (%i) in (%n) {
      %x = array.at %f[%i, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %f[%i, %c1] inbounds : tensor<?x2xf32>
      %v = tensor.from_elements %y, %x : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    scf.yield %g : tensor<?x2xf32>
  }
  return %r : tensor<?x2xf32>
}

// A row of vectors is made by component and put into each; the other way round,
// one component is put into its own array.
// CHECK-LABEL: func @updated
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (tensor<?x?xf32>, tensor<?x?xf32>)
// CHECK:   %[[ROW:.*]]:2 = array.map (%{{.*}}) in (%{{.*}})
// CHECK:     array.yield %{{.*}}, %{{.*}} : f32, f32
// CHECK:   %[[A1:.*]] = tensor.insert_slice %[[ROW]]#0 into %{{.*}}[1, 0] [1, %{{.*}}] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
// CHECK:   %[[B1:.*]] = tensor.insert_slice %[[ROW]]#1 into %{{.*}}[1, 0] [1, %{{.*}}] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
// CHECK:   %[[G:.*]]:2 = array.map
// CHECK:     array.at %[[A1]]
// CHECK:     array.at %[[B1]]
// CHECK:   %[[B2:.*]] = tensor.insert_slice %{{.*}} into %[[G]]#1[0, 0] [%{{.*}}, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
// CHECK:   scf.yield %[[G]]#0, %[[B2]]
func.func @updated(%f0: tensor<?x?x2xf32>, %c: tensor<?xf32>, %s: index) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %f0, %c0 : tensor<?x?x2xf32>
  %m = tensor.dim %f0, %c1 : tensor<?x?x2xf32>
  %fb = array.bind %f0 [%n, %m, 2] : tensor<?x?x2xf32>
  %r = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb) -> tensor<?x?x2xf32> {
    %f = array.bind %f1 [%n, %m, 2] : tensor<?x?x2xf32>
    %row = array.map (%j) in (%m) {
      %x = array.at %f[%c1, %j, %c0] inbounds : tensor<?x?x2xf32>
      %y = array.at %f[%c1, %j, %c1] inbounds : tensor<?x?x2xf32>
      %v = tensor.from_elements %y, %x : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    %u = tensor.insert_slice %row into %f[1, 0, 0] [1, %m, 2] [1, 1, 1] : tensor<?x2xf32> into tensor<?x?x2xf32>
    %g = array.map (%i, %j) in (%n, %m) {
      %x = array.at %u[%i, %j, %c0] inbounds : tensor<?x?x2xf32>
      %y = array.at %u[%i, %j, %c1] inbounds : tensor<?x?x2xf32>
      %z = arith.addf %x, %y : f32
      %w = arith.mulf %x, %y : f32
      %v = tensor.from_elements %z, %w : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x?x2xf32>
    %h = tensor.insert_slice %c into %g[0, 0, 1] [%n, 1, 1] [1, 1, 1] : tensor<?xf32> into tensor<?x?x2xf32>
    scf.yield %h : tensor<?x?x2xf32>
  }
  return %r : tensor<?x?x2xf32>
}

// The array of the step before is carried on, and is read by a number that only
// the run knows: both keep their vectors.
// CHECK-LABEL: func @no_split_step_before
// CHECK: iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<?x2xf32>, tensor<?x2xf32>)
func.func @no_split_step_before(%f0: tensor<?x2xf32>, %s: index, %k: index) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %f0, %c0 : tensor<?x2xf32>
  %fb = array.bind %f0 [%n, 2] : tensor<?x2xf32>
  %r:2 = scf.for %t = %c0 to %s step %c1 iter_args(%f1 = %fb, %old = %fb) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
    %f = array.bind %f1 [%n, 2] : tensor<?x2xf32>
    %g = array.map (%i) in (%n) {
      %x = array.at %f[%i, %c0] inbounds : tensor<?x2xf32>
      %y = array.at %old[%i, %k] inbounds : tensor<?x2xf32>
      %v = tensor.from_elements %y, %x : tensor<2xf32>
      array.yield %v : tensor<2xf32>
    } : tensor<?x2xf32>
    scf.yield %g, %f1 : tensor<?x2xf32>, tensor<?x2xf32>
  }
  return %r#0 : tensor<?x2xf32>
}
