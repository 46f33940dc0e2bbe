// RUN: arr-opt %s --arr-fuse-slices=with-partners --split-input-file | FileCheck %s
// RUN: arr-opt %s --arr-fuse-slices="with-partners work-per-byte=8" --split-input-file | FileCheck %s --check-prefix=AGAIN
// RUN: arr-opt %s --arr-fuse-slices --split-input-file | FileCheck %s --check-prefix=ALONE

// Two arrays whose inside follows from their own elements and from one that both
// read: over all points they are one loop.
// CHECK-LABEL: @two
// CHECK-NOT: tensor.insert_slice
// CHECK: array.map (%{{.*}}) in (%[[N:.*]])
// CHECK: array.map (%{{.*}}) in (%[[N]])
// ALONE-LABEL: @two
// ALONE-COUNT-2: tensor.insert_slice
func.func @two(%x: tensor<?xf32>, %y: tensor<?xf32>, %f: tensor<?xf32>, %t: index, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %t step %c1 iter_args(%p = %x, %q = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %a = array.bind %p [%n] : tensor<?xf32>
    %b = array.bind %q [%n] : tensor<?xf32>
    %m = affine.apply affine_map<()[s0] -> (s0 - 2)>()[%n]
    %u = array.map (%i) in (%m) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %v = array.at %a[%j] inbounds : tensor<?xf32>
      %w = array.at %f[%i] inbounds : tensor<?xf32>
      %s = arith.addf %v, %w : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %a1 = tensor.insert_slice %u into %a[1] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    %m1 = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
    %o = array.map (%i) in (%m1) {
      %v = array.at %b[%i] inbounds : tensor<?xf32>
      %w = array.at %f[%i] inbounds : tensor<?xf32>
      %s = arith.mulf %v, %w : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %b1 = tensor.insert_slice %o into %b[0] [%m1] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %a1, %b1 : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The second needs neighbours in the first: one loop only if these are computed
// again.
// CHECK-LABEL: @neighbours
// CHECK-COUNT-2: tensor.insert_slice
// AGAIN-LABEL: @neighbours
// AGAIN-NOT: tensor.insert_slice
// AGAIN-COUNT-2: array.map
// AGAIN: scf.yield
func.func @neighbours(%x: tensor<?xf32>, %y: tensor<?xf32>, %f: tensor<?xf32>, %t: index, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %t step %c1 iter_args(%p = %x, %q = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %a = array.bind %p [%n] : tensor<?xf32>
    %b = array.bind %q [%n] : tensor<?xf32>
    %m = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
    %u = array.map (%i) in (%m) {
      %v = array.at %a[%i] inbounds : tensor<?xf32>
      %w = array.at %f[%i] inbounds : tensor<?xf32>
      %s = arith.addf %v, %w : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %a1 = tensor.insert_slice %u into %a[0] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    %o = array.map (%i) in (%m) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %v = array.at %b[%i] inbounds : tensor<?xf32>
      %w = array.at %a1[%i] inbounds : tensor<?xf32>
      %z = array.at %a1[%j] inbounds : tensor<?xf32>
      %d = arith.subf %z, %w : f32
      %s = arith.mulf %v, %d : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %b1 = tensor.insert_slice %o into %b[0] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %a1, %b1 : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A part of any length may be little of its array, and stays where it is.
// CHECK-LABEL: @no_part
// CHECK-COUNT-2: tensor.insert_slice
// AGAIN-LABEL: @no_part
// AGAIN-COUNT-2: tensor.insert_slice
func.func @no_part(%x: tensor<?xf32>, %y: tensor<?xf32>, %f: tensor<?xf32>, %t: index, %n: index, %m: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %t step %c1 iter_args(%p = %x, %q = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    %a = array.bind %p [%n] : tensor<?xf32>
    %b = array.bind %q [%n] : tensor<?xf32>
    %u = array.map (%i) in (%m) {
      %v = array.at %a[%i] inbounds : tensor<?xf32>
      %w = array.at %f[%i] inbounds : tensor<?xf32>
      %s = arith.addf %v, %w : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %a1 = tensor.insert_slice %u into %a[0] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    %o = array.map (%i) in (%m) {
      %v = array.at %b[%i] inbounds : tensor<?xf32>
      %w = array.at %f[%i] inbounds : tensor<?xf32>
      %s = arith.mulf %v, %w : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %b1 = tensor.insert_slice %o into %b[0] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %a1, %b1 : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Nothing goes over the array beside it.
// CHECK-LABEL: @no_partner
// CHECK: tensor.insert_slice
// AGAIN-LABEL: @no_partner
// AGAIN: tensor.insert_slice
func.func @no_partner(%x: tensor<?xf32>, %f: tensor<?xf32>, %t: index, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %t step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %a = array.bind %p [%n] : tensor<?xf32>
    %m = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
    %u = array.map (%i) in (%m) {
      %v = array.at %a[%i] inbounds : tensor<?xf32>
      %w = array.at %f[%i] inbounds : tensor<?xf32>
      %s = arith.addf %v, %w : f32
      array.yield %s : f32
    } : tensor<?xf32>
    %a1 = tensor.insert_slice %u into %a[0] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %a1 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A number that goes into one of two arrays that a loop has made.
// CHECK-LABEL: @one_of_two
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[A:.*]]:2 = array.map
// CHECK: array.map (%[[I:.*]]) in
// CHECK:   %[[V:.*]] = array.at %[[A]]#0[%[[I]]] inbounds
// CHECK:   arith.select %{{.*}}, %{{.*}}, %[[V]] : f32
// ALONE-LABEL: @one_of_two
// ALONE: tensor.insert_slice
func.func @one_of_two(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %z = arith.constant 0.0 : f32
  %a:2 = array.map (%i) in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.negf %v : f32
    array.yield %v, %w : f32, f32
  } : tensor<?xf32>, tensor<?xf32>
  %s = tensor.splat %z : tensor<1xf32>
  %r = tensor.insert_slice %s into %a#0[0] [1] [1] : tensor<1xf32> into tensor<?xf32>
  return %r, %a#1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A row of one of them that is the same row of the other: both are read at the
// point, without a branch.
// CHECK-LABEL: @row_of_the_other
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[A:.*]]:2 = array.map
// CHECK: array.map (%[[I:.*]], %[[J:.*]]) in
// CHECK-DAG: %[[V:.*]] = array.at %[[A]]#0[%[[I]], %[[J]]] inbounds
// CHECK-DAG: %[[W:.*]] = array.at %[[A]]#1[%[[I]], %[[J]]] inbounds
// CHECK:   arith.select %{{.*}}, %[[W]], %[[V]] : f32
// ALONE-LABEL: @row_of_the_other
// ALONE: tensor.insert_slice
func.func @row_of_the_other(%x: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %a:2 = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    %w = arith.negf %v : f32
    array.yield %v, %w : f32, f32
  } : tensor<?x?xf32>, tensor<?x?xf32>
  %k = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
  %s = array.view %a#1 (d0)[s0] -> (s0 - 1, d0) [%n] in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a#0[%k, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r, %a#1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Another row of it is of other points, whose loop would be a second one; where
// neighbours are computed again it need not be.
// CHECK-LABEL: @no_other_row
// CHECK: tensor.insert_slice
// AGAIN-LABEL: @no_other_row
// AGAIN-NOT: tensor.insert_slice
// AGAIN: return
func.func @no_other_row(%x: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %a:2 = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    %w = arith.negf %v : f32
    array.yield %v, %w : f32, f32
  } : tensor<?x?xf32>, tensor<?x?xf32>
  %s = array.view %a#0 (d0) -> (1, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a#0[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r, %a#1 : tensor<?x?xf32>, tensor<?x?xf32>
}
