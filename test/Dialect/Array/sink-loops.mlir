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

// A step reads one number of an array from outside, computes with it and with
// one that steps hand on: so does each element.
// CHECK-LABEL: @drive
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[D:.*]]: tensor<?x2xf32>, %[[N:.*]]: index, %[[K:.*]]: index)
// CHECK: %[[R:.*]] = array.map (%[[I:.*]] "i") in (%[[N]]) {
// CHECK:   %[[S:.*]]:2 = scf.for %[[T:.*]] = {{.*}} to %[[K]] {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}})
// CHECK:     %[[E:.*]] = array.at %[[D]][%[[T]], %{{.*}}] inbounds
// CHECK:     %[[U:.*]] = scf.if
// CHECK:       array.at %[[D]][%[[T]], %{{.*}}] inbounds
// CHECK:     %[[V:.*]] = arith.addf %[[Q]], %[[U]]
// CHECK:     %[[W:.*]] = arith.mulf %[[P]], %[[V]]
// CHECK:     scf.yield %[[W]], %[[V]]
// CHECK: scf.for {{.*}} -> (f32)
// CHECK:   array.at %[[D]]
func.func @drive(%a0: tensor<?xf32>, %d: tensor<?x2xf32>, %n: index, %k: index) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0, %x = %z) -> (tensor<?xf32>, f32) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %e = array.at %d[%t, %c0] inbounds : tensor<?x2xf32>
    %c = arith.cmpf ogt, %e, %z : f32
    %u = scf.if %c -> (f32) {
      %f = array.at %d[%t, %c1] inbounds : tensor<?x2xf32>
      scf.yield %f : f32
    } else {
      scf.yield %e : f32
    }
    %y = arith.addf %x, %u : f32
    %s = array.map (%i "i") in (%n) {
      %g = array.at %p[%i] inbounds : tensor<?xf32>
      %h = arith.mulf %g, %y : f32
      array.yield %h : f32
    } : tensor<?xf32>
    scf.yield %s, %y : tensor<?xf32>, f32
  }
  return %r#0, %r#1 : tensor<?xf32>, f32
}

// A number of an array that the steps change, and one that may lie outside.
// CHECK-LABEL: @no_drive
// CHECK-COUNT-2: scf.for {{.*}} -> (tensor<?xf32>)
func.func @no_drive(%a0: tensor<?xf32>, %d: tensor<?xf32>, %n: index, %k: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %e = array.at %p[%c0] inbounds : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %p[%i] inbounds : tensor<?xf32>
      %h = arith.mulf %g, %e : f32
      array.yield %h : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  %q = scf.for %t = %c0 to %k step %c1 iter_args(%a = %a0) -> (tensor<?xf32>) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %e = array.at %d[%t] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %p[%i] inbounds : tensor<?xf32>
      %h = arith.mulf %g, %e : f32
      array.yield %h : f32
    } : tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r, %q : tensor<?xf32>, tensor<?xf32>
}

// A counter follows from the step, also behind the loop.
// CHECK-LABEL: @counter
// CHECK-SAME: %[[N:.*]]: index, %[[K:.*]]: index)
// CHECK: %[[M:.*]] = arith.maxsi %{{.*}}, %[[K]]
// CHECK: array.map
// CHECK:   scf.for %[[T:.*]] = {{.*}} to %[[K]] {{.*}} -> (f32)
// CHECK:     %[[C:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK:     %[[P:.*]] = arith.muli %[[C]], %[[TWO:.*]] : i64
// CHECK:     %[[J:.*]] = arith.subi %[[FIVE:.*]], %[[P]] : i64
// CHECK:     arith.sitofp %[[J]]
// CHECK: %[[L:.*]] = arith.index_cast %[[M]] : index to i64
// CHECK: %[[O:.*]] = arith.muli %[[L]], %[[TWO]]
// CHECK: %[[Q:.*]] = arith.subi %[[FIVE]], %[[O]]
// CHECK: return %{{.*}}, %[[Q]]
func.func @counter(%a0: tensor<?xf32>, %n: index, %k: index) -> (tensor<?xf32>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %r:2 = scf.for %t = %c0 to %k step %c1 iter_args(%j = %five, %a = %a0) -> (i64, tensor<?xf32>) {
    %p = array.bind %a [%n] : tensor<?xf32>
    %e = arith.sitofp %j : i64 to f32
    %s = array.map (%i "i") in (%n) {
      %g = array.at %p[%i] inbounds : tensor<?xf32>
      %h = arith.mulf %g, %e : f32
      array.yield %h : f32
    } : tensor<?xf32>
    %l = arith.subi %j, %two : i64
    scf.yield %l, %s : i64, tensor<?xf32>
  }
  return %r#1, %r#0 : tensor<?xf32>, i64
}

// A `while` that counts, up and down.
// CHECK-LABEL: @while
// CHECK-SAME: , %[[D:[a-z0-9]*]]: tensor<?xf32>, %[[N:.*]]: index, %[[K:.*]]: i64)
// CHECK: %[[M:.*]] = arith.maxsi %[[THREE:.*]], %[[K]] : i64
// CHECK: %[[S:.*]] = arith.subi %[[M]], %[[THREE]] : i64
// CHECK: %[[U:.*]] = arith.index_cast %[[S]] : i64 to index
// CHECK: array.map
// CHECK:   scf.for %[[T:.*]] = {{.*}} to %[[U]] {{.*}} -> (f32)
// CHECK:     %[[C:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK:     %[[J:.*]] = arith.addi %[[THREE]], %[[C]] : i64
// CHECK:     %[[I:.*]] = arith.index_cast %[[J]] : i64 to index
// CHECK:     array.at %[[D]][%[[I]]] inbounds
// CHECK: array.map
// CHECK:   scf.for %[[T:[a-z0-9]*]] = {{.*}} -> (f32)
// CHECK:     %[[C:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK:     %[[J:.*]] = arith.subi %[[K]], %[[C]] : i64
// CHECK:     arith.sitofp %[[J]]
// CHECK-NOT: scf.while
func.func @while(%a0: tensor<?xf32>, %d: tensor<?xf32>, %n: index, %k: i64) -> (tensor<?xf32>, i64, tensor<?xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%a = %a0, %j = %three) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
    %c = arith.cmpi slt, %j, %k : i64
    scf.condition(%c) %a, %j : tensor<?xf32>, i64
  } do {
  ^bb0(%a: tensor<?xf32>, %j: i64):
    %p = array.bind %a [%n] : tensor<?xf32>
    %t = arith.index_cast %j : i64 to index
    %e = array.at %d[%t] inbounds : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %p[%i] inbounds : tensor<?xf32>
      %h = arith.mulf %g, %e : f32
      array.yield %h : f32
    } : tensor<?xf32>
    %l = arith.addi %j, %one : i64
    scf.yield %s, %l : tensor<?xf32>, i64
  }
  %q:2 = scf.while (%a = %a0, %j = %k) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
    %c = arith.cmpi slt, %zero, %j : i64
    scf.condition(%c) %a, %j : tensor<?xf32>, i64
  } do {
  ^bb0(%a: tensor<?xf32>, %j: i64):
    %p = array.bind %a [%n] : tensor<?xf32>
    %e = arith.sitofp %j : i64 to f32
    %s = array.map (%i "i") in (%n) {
      %g = array.at %p[%i] inbounds : tensor<?xf32>
      %h = arith.mulf %g, %e : f32
      array.yield %h : f32
    } : tensor<?xf32>
    %l = arith.subi %j, %one : i64
    scf.yield %s, %l : tensor<?xf32>, i64
  }
  return %r#0, %r#1, %q#0 : tensor<?xf32>, i64, tensor<?xf32>
}

// One that ends with something else, one whose steps count by more, one that
// counts away from its end, and one from a number that may be any: the last two
// could go on until the counter wraps.
// CHECK-LABEL: @no_while
// CHECK-COUNT-4: scf.while
func.func @no_while(%a0: tensor<?xf32>, %n: index, %k: i64, %m: i64) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %half = arith.constant 0.5 : f32
  %p:3 = scf.while (%a = %a0, %j = %zero, %x = %half) : (tensor<?xf32>, i64, f32) -> (tensor<?xf32>, i64, f32) {
    %c = arith.cmpi slt, %j, %k : i64
    %f = arith.cmpf ogt, %x, %half : f32
    %b = arith.andi %c, %f : i1
    scf.condition(%b) %a, %j, %x : tensor<?xf32>, i64, f32
  } do {
  ^bb0(%a: tensor<?xf32>, %j: i64, %x: f32):
    %b = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %b[%i] inbounds : tensor<?xf32>
      array.yield %g : f32
    } : tensor<?xf32>
    %l = arith.addi %j, %one : i64
    %y = arith.mulf %x, %half : f32
    scf.yield %s, %l, %y : tensor<?xf32>, i64, f32
  }
  %q:2 = scf.while (%a = %a0, %j = %zero) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
    %c = arith.cmpi slt, %j, %k : i64
    scf.condition(%c) %a, %j : tensor<?xf32>, i64
  } do {
  ^bb0(%a: tensor<?xf32>, %j: i64):
    %b = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %b[%i] inbounds : tensor<?xf32>
      array.yield %g : f32
    } : tensor<?xf32>
    %l = arith.addi %j, %two : i64
    scf.yield %s, %l : tensor<?xf32>, i64
  }
  %r:2 = scf.while (%a = %a0, %j = %zero) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
    %c = arith.cmpi slt, %j, %k : i64
    scf.condition(%c) %a, %j : tensor<?xf32>, i64
  } do {
  ^bb0(%a: tensor<?xf32>, %j: i64):
    %b = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %b[%i] inbounds : tensor<?xf32>
      array.yield %g : f32
    } : tensor<?xf32>
    %l = arith.subi %j, %one : i64
    scf.yield %s, %l : tensor<?xf32>, i64
  }
  %t:2 = scf.while (%a = %a0, %j = %m) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
    %c = arith.cmpi slt, %j, %k : i64
    scf.condition(%c) %a, %j : tensor<?xf32>, i64
  } do {
  ^bb0(%a: tensor<?xf32>, %j: i64):
    %b = array.bind %a [%n] : tensor<?xf32>
    %s = array.map (%i "i") in (%n) {
      %g = array.at %b[%i] inbounds : tensor<?xf32>
      array.yield %g : f32
    } : tensor<?xf32>
    %l = arith.addi %j, %one : i64
    scf.yield %s, %l : tensor<?xf32>, i64
  }
  return %p#0, %q#0, %r#0, %t#0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
