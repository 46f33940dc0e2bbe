// RUN: arr-opt %s --arr-fuse-slices --split-input-file | FileCheck %s

// Two elements of the array make one of the slice: it would be computed thrice.
// CHECK-LABEL: @no_two_elements
// CHECK: tensor.insert_slice
func.func @no_two_elements(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %v : f32
  } : tensor<?x?xf32>
  %s = array.map (%j) in (%m) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %v = array.at %a[%c1, %j] inbounds : tensor<?x?xf32>
    %w = array.at %a[%c2, %j] inbounds : tensor<?x?xf32>
    %d = arith.subf %v, %w : f32
    array.yield %d : f32
  } : tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// The array is needed as it was before.
// CHECK-LABEL: @no_needed
// CHECK: tensor.insert_slice
func.func @no_needed(%x: tensor<?x?xf32>, %n: index, %m: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %v : f32
  } : tensor<?x?xf32>
  %s = array.view %a (d0) -> (1, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %a, %r : tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// An array that nothing made here is updated in place.
// CHECK-LABEL: @no_maker
// CHECK: tensor.insert_slice
func.func @no_maker(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = array.bind %x [%n, %m] : tensor<?x?xf32>
  %s = array.view %a (d0) -> (1, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A loop around each element is not one with an edge.
// CHECK-LABEL: @no_folds
// CHECK: tensor.insert_slice
func.func @no_folds(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %a = array.map (%i, %j) in (%n, %m) {
    %v = array.reduce (%k) in (%m) init (%z : f32) {
      %w = array.at %x[%i, %k] inbounds : tensor<?x?xf32>
      array.yield %w : f32
    } by arith.addf
    array.yield %v : f32
  } : tensor<?x?xf32>
  %s = array.view %a (d0) -> (1, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A copied row is read where it comes from, then a column of what that made.
// CHECK-LABEL: @made
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[A:.*]] = array.map
// CHECK: %[[B:.*]] = array.map (%[[I:.*]], %[[J:.*]]) in
// CHECK:   %[[TOP:.*]] = arith.cmpi eq, %[[I]], %{{.*}}
// CHECK:   %[[K:.*]] = arith.select %[[TOP]], %{{.*}}, %[[I]]
// CHECK:   %[[V:.*]] = array.at %[[A]][%[[K]], %[[J]]] inbounds
// CHECK:   array.yield %[[V]]
// CHECK: %[[C:.*]] = array.map (%[[I:.*]], %[[J:.*]]) in
// CHECK:   %[[LEFT:.*]] = arith.cmpi eq, %[[J]], %{{.*}}
// CHECK:   %[[K:.*]] = arith.select %[[LEFT]], %{{.*}}, %[[J]]
// CHECK:   %[[V:.*]] = array.at %[[B]][%[[I]], %[[K]]] inbounds
// CHECK:   scf.if %[[LEFT]]
// CHECK:     %[[M:.*]] = arith.negf %[[V]]
// CHECK:     scf.yield %[[M]]
// CHECK:   } else {
// CHECK:     scf.yield %[[V]]
// CHECK: return %[[C]]
func.func @made(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %v : f32
  } : tensor<?x?xf32>
  %s = array.view %a (d0) -> (1, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %b = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  %t = array.map (%i) in (%n) {
    %c1 = arith.constant 1 : index
    %v = array.at %b[%i, %c1] inbounds : tensor<?x?xf32>
    %w = arith.negf %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %r = tensor.insert_slice %t into %b[0, 0] [%n, 1] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A number, in a part of a row.
// CHECK-LABEL: @number
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[A:.*]] = array.map
// CHECK: array.map (%[[I:.*]], %[[J:.*]]) in
// CHECK:   arith.cmpi eq, %[[I]]
// CHECK:   arith.cmpi sge, %[[J]]
// CHECK:   arith.cmpi slt, %[[J]]
// CHECK:   %[[V:.*]] = array.at %[[A]][%[[I]], %[[J]]] inbounds
// CHECK:   arith.select %{{.*}}, %{{.*}}, %[[V]] : f32
func.func @number(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %a = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %v : f32
  } : tensor<?x?xf32>
  %size = affine.apply affine_map<()[s0] -> (s0 - 2)>()[%m]
  %s = tensor.splat %z[%size] : tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0, 1] [1, %size] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What only the slice reads of another array is read in its branch: nobody knows
// whether row `k` is there for the rest.
// CHECK-LABEL: @other_array
// CHECK-NOT: tensor.insert_slice
// CHECK: scf.if
// CHECK:   array.at %{{.*}} inbounds {array.guarded}
func.func @other_array(%x: tensor<?x?xf32>, %b: tensor<?x?xf32>, %k: index, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = array.map (%i, %j) in (%n, %m) {
    %v = array.at %x[%i, %j] inbounds : tensor<?x?xf32>
    array.yield %v : f32
  } : tensor<?x?xf32>
  %s = array.view %b (d0)[s0] -> (s0, d0) [%k] in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Bodies alone read the array: the row need not be put into it.
// CHECK-LABEL: @read
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[E:.*]] = array.map (%[[I:.*]], %[[J:.*]]) in
// CHECK:   %[[TOP:.*]] = arith.cmpi eq, %[[I]], %{{.*}}
// CHECK:   %[[K:.*]] = arith.select %[[TOP]], %{{.*}}, %[[I]]
// CHECK:   array.at %{{.*}}[%[[K]], %[[J]]] inbounds
// CHECK: array.map
// CHECK:   array.at %[[E]]
func.func @read(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %a = array.bind %x [%n, %m] : tensor<?x?xf32>
  %s = array.view %a (d0) -> (1, d0) in (%m) : tensor<?x?xf32> to tensor<?xf32>
  %e = tensor.insert_slice %s into %a[0, 0] [1, %m] [1, 1] : tensor<?xf32> into tensor<?x?xf32>
  %inner = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%n]
  %r = array.map (%i, %j) in (%inner, %m) {
    %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %v = array.at %e[%i, %j] inbounds : tensor<?x?xf32>
    %w = array.at %e[%k, %j] inbounds : tensor<?x?xf32>
    %d = arith.subf %v, %w : f32
    array.yield %d : f32
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
