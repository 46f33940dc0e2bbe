// Lanes that go different ways: masks say which of them do something.
// RUN: arr-opt %s --convert-kernel-to-scf --canonicalize --split-input-file | FileCheck %s

// A loop runs until the last lane has left it. What lanes came to is kept where
// they leave; what is the same in all of them stays a scalar.
// CHECK-LABEL: func @until_the_last
// CHECK: %[[U:.*]] = vector.load
// CHECK: %[[W:.*]]:4 = scf.while (%[[ON:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}, %[[X:.*]] = %[[U]], %[[ENDED:.*]] = %{{.*}}) : (vector<8xi1>, i32, vector<8xf32>, vector<8xi32>)
// CHECK:   %[[GO:.*]] = arith.cmpf olt, %[[X]], %{{.*}} : vector<8xf32>
// CHECK:   %[[KS:.*]] = vector.broadcast %[[K]] : i32 to vector<8xi32>
// CHECK:   %[[KEPT:.*]] = arith.select %[[ON]], %[[KS]], %[[ENDED]]
// CHECK:   %[[NEXT:.*]] = arith.andi %[[ON]], %[[GO]]
// CHECK:   %[[ANY:.*]] = vector.reduction <or>, %[[NEXT]]
// CHECK:   scf.condition(%[[ANY]]) %[[NEXT]], %[[K]], %[[X]], %[[KEPT]]
// CHECK: } do {
// CHECK:   arith.addi %{{.*}} : i32
// CHECK:   arith.addf %{{.*}} : vector<8xf32>
// CHECK: vector.store %[[W]]#3
func.func @until_the_last(%x: memref<?xf32>, %y: memref<?xi32>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %limit = arith.constant 4.0 : f32
    kernel.for "i.1" (%v) in 8 at vector {
      %u = kernel.load %X[%v] : memref<?xf32>
      %w:2 = scf.while (%k = %zero, %t = %u) : (i32, f32) -> (i32, f32) {
        %go = arith.cmpf olt, %t, %limit : f32
        scf.condition(%go) %k, %t : i32, f32
      } do {
      ^bb0(%k: i32, %t: f32):
        %k1 = arith.addi %k, %one : i32
        %t1 = arith.addf %t, %t : f32
        scf.yield %k1, %t1 : i32, f32
      }
      kernel.store %w#0, %Y[%v] : memref<?xi32>
    }
  }
  return
}

// -----

// Counted ones run as often as the lane that takes most; reads are masked, and
// so are integers that lanes divide by.
// CHECK-LABEL: func @counted
// CHECK: %[[L:.*]] = vector.load
// CHECK: %[[MOST:.*]] = vector.reduction <maxsi>, %[[L]]
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[MOST]] step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[KEPT:.*]] = %{{.*}})
// CHECK:   %[[KS:.*]] = vector.broadcast %[[K]]
// CHECK:   %[[ON:.*]] = arith.cmpi slt, %[[KS]], %[[L]]
// CHECK:   vector.maskedload %{{.*}}[%[[K]], %{{.*}}], %[[ON]]
// CHECK:   %[[BY:.*]] = arith.select %[[ON]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK:   %[[Q:.*]] = arith.divsi %{{.*}}, %[[BY]]
// CHECK:   %[[T:.*]] = arith.addi %[[S]], %[[Q]]
// CHECK:   %[[R:.*]] = arith.select %[[ON]], %[[T]], %[[KEPT]]
// CHECK:   scf.yield %[[T]], %[[R]]
func.func @counted(%l: memref<?xindex>, %x: memref<?x?xi32>, %y: memref<?xi32>, %n: index, %m: index) {
  kernel.launch @f (%M = %m : index, %L[%N] = %l : memref<?xindex>, %X[%M, %N] = %x : memref<?x?xi32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xi32>) {
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : i32
    kernel.for "i.1" (%v) in 8 at vector {
      %u = kernel.load %L[%v] : memref<?xindex>
      %w = scf.for %k = %c0 to %u step %c1 iter_args(%s = %zero) -> (i32) {
        %d = kernel.load %X[%k, %v] : memref<?x?xi32>
        %q = arith.divsi %c100, %d : i32
        %t = arith.addi %s, %q : i32
        scf.yield %t : i32
      }
      kernel.store %w, %Y[%v] : memref<?xi32>
    }
  }
  return
}

// -----

// A side is run if a lane takes it. What is the same in all lanes that take it
// is done once.
// CHECK-LABEL: func @sides
// CHECK: %[[C:.*]] = arith.cmpf ogt
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[C]]
// CHECK: %[[A:.*]] = scf.if %[[ANY]] -> (vector<8xf32>) {
// CHECK:   memref.load
// CHECK:   vector.maskedload %{{.*}}, %[[C]]
// CHECK:   math.log
// CHECK: } else {
// CHECK:   scf.yield
// CHECK: %[[NOT:.*]] = arith.xori %[[C]]
// CHECK: %[[OTHER:.*]] = vector.reduction <or>, %[[NOT]]
// CHECK: %[[B:.*]] = scf.if %[[OTHER]] -> (vector<8xf32>) {
// CHECK:   math.sin
// CHECK: arith.select %[[C]], %[[A]], %[[B]]
func.func @sides(%x: memref<?xf32>, %z: memref<?xf32>, %y: memref<?xf32>, %n: index, %at: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %Z[%N] = %z : memref<?xf32>, %N = %n : index, %P = %at : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i.1" (%v) in 8 at vector {
      %u = kernel.load %X[%v] : memref<?xf32>
      %c = arith.cmpf ogt, %u, %zero : f32
      %w = scf.if %c -> (f32) {
        %same = kernel.load %Z[%P] : memref<?xf32>
        %own = kernel.load %Z[%v] : memref<?xf32>
        %s = arith.addf %same, %own : f32
        %l = math.log %s : f32
        scf.yield %l : f32
      } else {
        %l = math.sin %u : f32
        scf.yield %l : f32
      }
      kernel.store %w, %Y[%v] : memref<?xf32>
    }
  }
  return
}

// -----

// A check asks all lanes, and then which of them fail.
// CHECK-LABEL: func @checked
// CHECK: %[[C:.*]] = arith.cmpf ogt
// CHECK: %[[F:.*]] = arith.xori %[[C]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[F]]
// CHECK: scf.if %[[ANY]] {
// CHECK:   scf.for %[[L:.*]] =
// CHECK:     %[[ONE:.*]] = vector.extract %[[F]][%[[L]]]
// CHECK:     scf.if %[[ONE]] {
// CHECK:       vector.extract %{{.*}}[%[[L]]]
// CHECK:       call @arrc_check
func.func @checked(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  kernel.launch @f (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%Y[%N] = %y : memref<?xf32>) {
    %zero = arith.constant 0.0 : f32
    kernel.for "i.1" (%v) in 8 at vector {
      %u = kernel.load %X[%v] : memref<?xf32>
      %c = arith.cmpf ogt, %u, %zero : f32
      kernel.check assert %c, "{0} is not positive" [%u : f32]
      kernel.store %u, %Y[%v] : memref<?xf32>
    }
  }
  return
}
