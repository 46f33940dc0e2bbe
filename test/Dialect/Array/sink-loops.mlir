// Time loops whose elements never read each other are maps of loops.
// RUN: arr-opt %s --arr-sink-loops | FileCheck %s

// Arrays that trade places, and a number that goes along and is needed behind.
// CHECK-LABEL: @state
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>, %[[N:.*]]: index, %[[K:.*]]: index)
// CHECK: %[[R:.*]]:2 = array.map (%[[I:.*]] "i") in (%[[N]]) {
// CHECK:   %[[X:.*]] = array.at %[[A]][%[[I]]] inbounds
// CHECK:   %[[Y:.*]] = array.at %[[B]][%[[I]]] inbounds
// CHECK:   %[[S:.*]]:3 = scf.for {{.*}} to %[[K]] {{.*}} iter_args(%[[P:.*]] = %[[X]], %[[Q:.*]] = %[[Y]], %[[T:.*]] = %{{.*}})
// CHECK:     %[[U:.*]] = arith.addf %[[T]]
// CHECK:     %[[V:.*]] = arith.mulf %[[P]], %[[U]]
// CHECK:     %[[W:.*]] = scf.if
// CHECK-NOT:   array.at
// CHECK:       arith.addf %[[V]], %[[P]]
// CHECK:     scf.yield %[[Q]], %[[W]], %[[U]]
// CHECK:   array.yield %[[S]]#0, %[[S]]#1
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32)
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @state(%a0: tensor<?xf32>, %b0: tensor<?xf32>, %n: index, %k: index) -> (tensor<?xf32>, tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %d = arith.constant 0.5 : f32
  %r:3 = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0, %b = %b0, %x = %z) -> (tensor<?xf32>, tensor<?xf32>, f32) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %q = array.bind %b [%n] : tensor<?xf32>
    %u = arith.addf %x, %d : f32
    %s = array.map (%i "i") in (%n) {
      %e = array.at %p[%i] inbounds : tensor<?xf32>
      %f = arith.mulf %e, %u : f32
      array.yield %f : f32
    } : tensor<?xf32>
    %w = array.map (%i "i") in (%n) {
      %e = array.at %s[%i] inbounds : tensor<?xf32>
      %c = arith.cmpf ogt, %e, %d : f32
      %v = scf.if %c -> (f32) {
        %f = array.at %p[%i] inbounds : tensor<?xf32>
        %g = arith.addf %e, %f : f32
        scf.yield %g : f32
      } else {
        scf.yield %e : f32
      }
      array.yield %v : f32
    } : tensor<?xf32>
    scf.yield %q, %w, %u : tensor<?xf32>, tensor<?xf32>, f32
  }
  return %r#0, %r#1, %r#2 : tensor<?xf32>, tensor<?xf32>, f32
}

// A neighbour, a fold, an array of another size, a read that may fail.
// CHECK-LABEL: @others
// CHECK-COUNT-4: scf.for {{.*}} -> (tensor<?xf32>)
func.func @others(%a0: tensor<?xf32>, %o: tensor<?xf32>, %n: index, %k: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %e = array.at %p[%c0] inbounds : tensor<?xf32>
      array.yield %e : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  %f = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %e = array.at %p[%i] inbounds : tensor<?xf32>
      %g = array.reduce (%l "l") in (%n) init(%e : f32) {
        %h = array.at %o[%l] inbounds : tensor<?xf32>
        array.yield %h : f32
      } by arith.addf
      array.yield %g : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  %u = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %s = array.map (%i "i") in (%n) {
      %e = array.at %a[%i] inbounds : tensor<?xf32>
      array.yield %e : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  %v = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %e = array.at %p[%i] inbounds : tensor<?xf32>
      %h = array.at %o[%t] : tensor<?xf32>
      %g = arith.addf %e, %h : f32
      array.yield %g : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r, %f, %u, %v : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
