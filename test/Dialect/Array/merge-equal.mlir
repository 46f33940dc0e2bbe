// RUN: arr-opt %s --arr-merge-equal | FileCheck %s
// RUN: arr-opt %s --arr-merge-equal=few=0 | FileCheck %s
// What `cse` makes of it is the same.
// RUN: arr-opt %s --cse -o %t.cse
// RUN: arr-opt %s --arr-merge-equal=few=0 | diff %t.cse -

// Bodies differ by a constant, by what they read, or by an attribute.
// CHECK-LABEL: func @no_merge
// CHECK-COUNT-4: array.map
// CHECK-NOT: arrc.number
func.func @no_merge(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index, %k: index, %one: f32, %two: f32) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a = array.map (%i) in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.addf %v, %one : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %b = array.map (%i) in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.addf %v, %two : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %c = array.map (%i) in (%n) {
    %v = array.at %y[%i] inbounds : tensor<?xf32>
    %w = arith.addf %v, %one : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %d = array.map (%i) in (%n) {
    %v = array.at %x[%i] : tensor<?xf32>
    %w = arith.addf %v, %one : f32
    array.yield %w : f32
  } : tensor<?xf32>
  return %a, %b, %c, %d : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// The second pair is equal when the first has been merged.
// CHECK-LABEL: func @chains
// CHECK: array.map
// CHECK: %[[c:.*]] = array.map
// CHECK-NOT: array.map
// CHECK: return %[[c]], %[[c]]
func.func @chains(%x: tensor<?xf32>, %n: index, %one: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = array.map (%i) in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.addf %v, %one : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %b = array.map (%i) in (%n) {
    %v = array.at %x[%i] inbounds : tensor<?xf32>
    %w = arith.addf %v, %one : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %c = array.map (%i) in (%n) {
    %v = array.at %a[%i] inbounds : tensor<?xf32>
    %w = arith.mulf %v, %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  %d = array.map (%i) in (%n) {
    %v = array.at %b[%i] inbounds : tensor<?xf32>
    %w = arith.mulf %v, %v : f32
    array.yield %w : f32
  } : tensor<?xf32>
  return %c, %d : tensor<?xf32>, tensor<?xf32>
}

// Inner maps, and branches.
// CHECK-LABEL: func @nested
// CHECK-COUNT-2: array.map
// CHECK-NOT: array.map
// CHECK: scf.if
// CHECK-NOT: scf.if
func.func @nested(%n: index, %c: i1, %one: f32, %two: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>, f32) {
  %a = array.map (%i) in (%n) {
    %r = array.map (%j) in (%n) {
      %s = arith.addi %i, %j : index
      %k = arith.index_cast %s : index to i32
      %f = arith.sitofp %k : i32 to f32
      array.yield %f : f32
    } : tensor<?xf32>
    array.yield %r : tensor<?xf32>
  } : tensor<?x?xf32>
  %b = array.map (%i) in (%n) {
    %r = array.map (%j) in (%n) {
      %s = arith.addi %i, %j : index
      %k = arith.index_cast %s : index to i32
      %f = arith.sitofp %k : i32 to f32
      array.yield %f : f32
    } : tensor<?xf32>
    array.yield %r : tensor<?xf32>
  } : tensor<?x?xf32>
  %p = scf.if %c -> f32 {
    scf.yield %one : f32
  } else {
    scf.yield %two : f32
  }
  %q = scf.if %c -> f32 {
    scf.yield %one : f32
  } else {
    scf.yield %two : f32
  }
  %s = arith.addf %p, %q : f32
  return %a, %b, %s : tensor<?x?xf32>, tensor<?x?xf32>, f32
}
