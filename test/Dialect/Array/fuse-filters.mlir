// RUN: arr-opt %s --arr-fuse-filters --split-input-file | FileCheck %s

// Somebody else needs the array.
// CHECK-LABEL: @no_fusion_of_what_is_returned
func.func @no_fusion_of_what_is_returned(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, f32) {
  %z = arith.constant 0.0 : f32
  // CHECK: %[[R:.*]]:2 = array.filter
  // CHECK: array.reduce {{.*}} in (%[[R]]#0)
  %count, %r = array.filter (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    array.yield %keep, %x : i1, f32
  } : tensor<?xf32>
  %s = array.reduce (%k) in (%count) init (%z : f32) {
    %v = array.at %r[%k] inbounds : tensor<?xf32>
    array.yield %v : f32
  } by arith.addf
  return %r, %s : tensor<?xf32>, f32
}

// -----

// The number of an element counts.
// CHECK-LABEL: @no_fusion_of_numbers
func.func @no_fusion_of_numbers(%a: tensor<?xf32>, %n: index) -> index {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  // CHECK: %[[R:.*]]:2 = array.filter
  // CHECK: array.reduce {{.*}} in (%[[R]]#0)
  %count, %r = array.filter (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    array.yield %keep, %x : i1, f32
  } : tensor<?xf32>
  %s = array.reduce (%k) in (%count) init (%c0 : index) {
    %v = array.at %r[%k] inbounds : tensor<?xf32>
    %big = arith.cmpf ogt, %v, %z : f32
    %t = arith.select %big, %k, %c0 : index
    array.yield %t : index
  } by arith.addi
  return %s : index
}

// -----

// What is dropped gives the neutral element; names of sizes are no obstacle.
// CHECK-LABEL: @squares
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[N:.*]]: index)
func.func @squares(%a: tensor<?xf32>, %n: index) -> (f32, index) {
  %z = arith.constant 0.0 : f32
  // CHECK: array.reduce (%[[I:.*]]) in (%[[N]]) init
  // CHECK: %[[X:.*]] = array.at %[[A]][%[[I]]]
  // CHECK: %[[KEEP:.*]] = arith.cmpf ogt, %[[X]]
  // CHECK: %[[V:.*]] = scf.if %[[KEEP]]
  // CHECK: %[[W:.*]] = arith.mulf %[[X]], %[[X]]
  // CHECK: scf.yield %[[W]]
  // CHECK: array.yield %[[V]]
  %count, %r = array.filter (%i) in (%n) {
    %x = array.at %a[%i] inbounds : tensor<?xf32>
    %keep = arith.cmpf ogt, %x, %z : f32
    array.yield %keep, %x : i1, f32
  } : tensor<?xf32>
  %named = array.bind %r [%count] : tensor<?xf32>
  %s = array.reduce (%k) in (%count) init (%z : f32) {
    %v = array.at %named[%k] inbounds : tensor<?xf32>
    %w = arith.mulf %v, %v : f32
    array.yield %w : f32
  } by arith.addf
  return %s, %count : f32, index
}
