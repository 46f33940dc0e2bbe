// RUN: arr-opt %s --arr-fuse-slices --split-input-file | FileCheck %s
// RUN: arr-opt %s --arr-fuse-slices --split-input-file --remark-format=emitRemark --remarks-filter=fuse-slices -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The array dies here: it is updated in place, as not every loop can compute the
// slice besides.
// CHECK-LABEL: @no_in_place
// CHECK: tensor.insert_slice
// REMARK: remark: [Missed] FuseSlice
// REMARK-SAME: Reason="the array is updated in place"
func.func @no_in_place(%x: tensor<8x5xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %a = array.map (%i) in (8) {
    %v = array.reduce (%j) in (5) init (%z : f32) {
      %w = array.at %x[%i, %j] inbounds : tensor<8x5xf32>
      array.yield %w : f32
    } by arith.addf
    array.yield %v : f32
  } : tensor<8xf32>
  %s = array.map (%i) in (3) {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %v = array.at %a[%k] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<3xf32>
  %r = tensor.insert_slice %s into %a[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Slices with steps stay.
// CHECK-LABEL: @no_steps
// CHECK: tensor.insert_slice
func.func @no_steps(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = array.map (%i) in (3) {
    %v = array.at %x[%i] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<3xf32>
  %r = tensor.insert_slice %s into %x[0] [3] [2] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// The caller's array would be copied first. Reads of the slice are only known
// to be inside where it is.
// CHECK-LABEL: @argument
// CHECK-NOT: tensor.insert_slice
// CHECK: array.map (%[[I:.*]]) in (8) {
// CHECK:   %[[LOW:.*]] = arith.cmpi sge, %[[I]], %{{.*}}
// CHECK:   %[[HIGH:.*]] = arith.cmpi slt, %[[I]], %{{.*}}
// CHECK:   %[[IN:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK:   scf.if %[[IN]]
// CHECK:     array.at %{{.*}}[%{{[a-z0-9_]+}}] : tensor<8xf32>
// CHECK:   } else {
// CHECK:     array.at %{{.*}}[%[[I]]] inbounds : tensor<8xf32>
// REMARK: remark: [Passed] FuseSlice
// REMARK-SAME: Remark="the slice is computed with the array around it"
func.func @argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = array.map (%i) in (6) {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %v = array.at %x[%k] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<6xf32>
  %r = tensor.insert_slice %s into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Concatenated, then read: two maps, the second around the first.
// CHECK-LABEL: @concatenated
// CHECK-NOT: tensor.insert_slice
// CHECK: array.map
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: scf.yield %{{.*}} : f32
// CHECK: array.map
// CHECK: array.map
func.func @concatenated(%x: tensor<5xf32>, %y: tensor<3xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.splat %zero : tensor<8xf32>
  %b = tensor.insert_slice %x into %a[0] [5] [1] : tensor<5xf32> into tensor<8xf32>
  %c = tensor.insert_slice %y into %b[5] [3] [1] : tensor<3xf32> into tensor<8xf32>
  %r = array.map (%i) in (8) {
    %v = array.at %c[%i] inbounds : tensor<8xf32>
    %w = math.exp %v : f32
    array.yield %w : f32
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A fold over the slice goes over the array, of which it reads the new
// elements; who else reads the slice finds it there.
// CHECK-LABEL: @others
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[R:.*]] = array.map (%[[I:.*]]) in (8) {
// CHECK: array.reduce (%[[J:.*]]) in (8) init (%[[Z:.*]] : f32) {
// CHECK:   %[[LOW:.*]] = arith.cmpi sge, %[[J]], %{{.*}}
// CHECK:   %[[HIGH:.*]] = arith.cmpi slt, %[[J]], %{{.*}}
// CHECK:   %[[IN:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK:   scf.if %[[IN]]
// CHECK:     array.at %[[R]]
// CHECK:   } else {
// CHECK-NEXT: scf.yield %[[Z]] : f32
// CHECK: array.map (%[[K:.*]]) in (6) {
// CHECK:   %[[OWN:.*]] = affine.apply #{{.*}}(%[[K]])
// CHECK:   array.at %[[R]][%[[OWN]]] inbounds
func.func @others(%x: tensor<8xf32>) -> (tensor<8xf32>, f32, tensor<6xf32>) {
  %z = arith.constant 0.0 : f32
  %s = array.map (%i) in (6) {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %v = array.at %x[%k] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<6xf32>
  %f = array.reduce (%i) in (6) init (%z : f32) {
    %v = array.at %s[%i] inbounds : tensor<6xf32>
    %w = math.absf %v : f32
    array.yield %w : f32
  } by arith.addf
  %m = array.map (%i) in (6) {
    %v = array.at %s[%i] inbounds : tensor<6xf32>
    %w = math.exp %v : f32
    array.yield %w : f32
  } : tensor<6xf32>
  %r = tensor.insert_slice %s into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r, %f, %m : tensor<8xf32>, f32, tensor<6xf32>
}

// -----

// The slice itself is needed.
// CHECK-LABEL: @no_needed
// CHECK: tensor.insert_slice
func.func @no_needed(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<6xf32>) {
  %s = array.map (%i) in (6) {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %v = array.at %x[%k] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<6xf32>
  %r = tensor.insert_slice %s into %x[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<6xf32>
}

// -----

// The slice follows from what it replaces in an array that was just made.
// CHECK-LABEL: @made
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[A:.*]] = array.map
// CHECK: %[[R:.*]] = array.map (%[[I:.*]]) in (8) {
// CHECK:   scf.if
// CHECK:     array.at %[[A]][%[[I]]] inbounds
// CHECK:   } else {
// CHECK:     array.at %[[A]][%[[I]]] inbounds
// CHECK: return %[[R]]
// REMARK: Remark="the slice is computed with the array before it"
func.func @made(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = array.map (%i) in (8) {
    %v = array.at %x[%i] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<8xf32>
  %s = array.map (%i) in (3) {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %v = array.at %a[%k] inbounds : tensor<8xf32>
    %w = math.exp %v : f32
    array.yield %w : f32
  } : tensor<3xf32>
  %r = tensor.insert_slice %s into %a[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A whole array that is needed as it was before is not in one loop with it.
// CHECK-LABEL: @no_needed
// CHECK: tensor.insert_slice
func.func @no_needed(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = array.map (%i) in (8) {
    %v = array.at %x[%i] inbounds : tensor<8xf32>
    array.yield %v : f32
  } : tensor<8xf32>
  %s = array.map (%i) in (3) {
    %k = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
    %v = array.at %a[%k] inbounds : tensor<8xf32>
    %w = math.exp %v : f32
    array.yield %w : f32
  } : tensor<3xf32>
  %r = tensor.insert_slice %s into %a[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %a, %r : tensor<8xf32>, tensor<8xf32>
}
