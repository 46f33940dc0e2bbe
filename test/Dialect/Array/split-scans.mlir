// What a scan takes in by loops is a map of its own.
// RUN: arr-opt %s --arr-split-scans --split-input-file | FileCheck %s

// CHECK-LABEL: func @no_loop
// CHECK-NOT: array.map
func.func @no_loop(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %p, %t = array.scan (%i "i") in (%n) init (%z : f32) {
    %x = array.at %a[%i] : tensor<?xf32>
    %y = math.exp %x : f32
    array.yield %y : f32
  } by arith.addf
  return %p : tensor<?xf32>
}

// -----

// Scans of rows: the array would be one of many.
// CHECK-LABEL: func @no_split_in_a_body
// CHECK: array.map
// CHECK-NEXT: array.scan
// CHECK-NEXT: array.reduce
func.func @no_split_in_a_body(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %r = array.map (%i "i") in (%n) {
    %p, %t = array.scan (%j "j") in (%m) init (%z : f32) {
      %s = array.reduce (%k) in (%m) init (%z : f32) {
        %x = array.at %a[%j, %k] : tensor<?x?xf32>
        array.yield %x : f32
      } by arith.addf
      array.yield %s : f32
    } by arith.addf
    array.yield %p : tensor<?xf32>
  } : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Several values, each an array; what is exclusive stays so.
// CHECK-LABEL: func @sums_of_rows
// CHECK: %[[E:.*]]:2 = array.map (%[[I:.*]] "i") in (%{{.*}}) {
// CHECK:   %[[S:.*]] = array.reduce
// CHECK:   array.yield %[[S]], %{{.*}} : f32, i64
// CHECK: } : tensor<?xf32>, tensor<?xi64>
// CHECK: array.scan (%[[K:.*]] "i") in (%{{.*}}) init ({{.*}}) exclusive {
// CHECK-NEXT: array.at %[[E]]#0[%[[K]]] inbounds
// CHECK-NEXT: array.at %[[E]]#1[%[[K]]] inbounds
// CHECK-NEXT: array.yield
// CHECK-NEXT: } by arith.addf, arith.maxsi
func.func @sums_of_rows(%a: tensor<?x?xf32>, %b: tensor<?xi64>, %n: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %c = arith.constant 0 : i64
  %p:2, %t:2 = array.scan (%i "i") in (%n) init (%z, %c : f32, i64) exclusive {
    %s = array.reduce (%j) in (%m) init (%z : f32) {
      %x = array.at %a[%i, %j] : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    %y = array.at %b[%i] : tensor<?xi64>
    array.yield %s, %y : f32, i64
  } by arith.addf, arith.maxsi
  return %p#0 : tensor<?xf32>
}

// -----

// Any loop counts, in time loops as well.
// CHECK-LABEL: func @steps
// CHECK: scf.for
// CHECK:   array.map
// CHECK:     scf.for
// CHECK:   array.scan
// CHECK-NEXT: array.at
func.func @steps(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %step = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<?xf32>) {
    %p, %t = array.scan (%i "i") in (%n) init (%z : f32) {
      %x = array.at %b[%i] : tensor<?xf32>
      %y = scf.for %k = %c0 to %i step %c1 iter_args(%u = %x) -> (f32) {
        %v = arith.mulf %u, %x : f32
        scf.yield %v : f32
      }
      array.yield %y : f32
    } by arith.addf
    scf.yield %p : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A filter whose condition folds; what it keeps comes along.
// CHECK-LABEL: func @filter
// CHECK: %[[E:.*]]:2 = array.map (%{{.*}} "i") in (%{{.*}}) {
// CHECK: } : tensor<?xi1>, tensor<?xf32>
// CHECK: array.filter (%[[K:.*]] "i") in (%{{.*}}) {
// CHECK-NEXT: %[[KEEP:.*]] = array.at %[[E]]#0[%[[K]]] inbounds
// CHECK-NEXT: %[[X:.*]] = array.at %[[E]]#1[%[[K]]] inbounds
// CHECK-NEXT: array.yield %[[KEEP]], %[[X]] : i1, f32
func.func @filter(%a: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %z = arith.constant 0.0 : f32
  %count, %r = array.filter (%i "i") in (%n) {
    %s = array.reduce (%k) in (%m) init (%z : f32) {
      %x = array.at %a[%i, %k] : tensor<?x?xf32>
      array.yield %x : f32
    } by arith.addf
    %keep = arith.cmpf ogt, %s, %z : f32
    array.yield %keep, %s : i1, f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
