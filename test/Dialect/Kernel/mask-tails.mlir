// RUN: arr-opt %s --kernel-mask-tails --split-input-file | FileCheck %s

// A branch of the program stays a branch.
// CHECK-LABEL: @no_other_branch
func.func @no_other_branch(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i" (%i) in %N {
      %v = kernel.load %X[%i] : memref<?xf32>
      %p = arith.cmpf olt, %v, %v : f32
      // CHECK: scf.if
      scf.if %p {
        kernel.store %v, %X[%i] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A loop that may not end for masked lanes keeps its guard.
// CHECK-LABEL: @no_while
func.func @no_while(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i.0" (%i) in 8 at vector {
      %in = arith.cmpi slt, %i, %N : index
      // CHECK: scf.if
      scf.if %in {
        %v = kernel.load %X[%i] : memref<?xf32>
        %r = scf.while (%a = %v) : (f32) -> f32 {
          %p = arith.cmpf olt, %a, %v : f32
          scf.condition(%p) %a : f32
        } do {
        ^bb0(%a: f32):
          scf.yield %a : f32
        }
        kernel.store %r, %X[%i] : memref<?xf32>
      } {kernel.tail}
    }
  }
  return
}

// -----

// CHECK-LABEL: @accesses
func.func @accesses(%x: memref<?xi64>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xi64>) {
    %c7 = arith.constant 7 : i64
    kernel.for "i.0" (%i) in 8 at vector {
      // CHECK: %[[IN:.*]] = arith.cmpi slt
      %in = arith.cmpi slt, %i, %N : index
      // CHECK-NOT: scf.if
      scf.if %in {
        // CHECK: %[[V:.*]] = kernel.load %X[%{{.*}}] if %[[IN]]
        %v = kernel.load %X[%i] : memref<?xi64>
        // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
        // CHECK: %[[D:.*]] = arith.select %[[IN]], %[[V]], %[[ONE]]
        // CHECK: arith.divsi %{{.*}}, %[[D]]
        %q = arith.divsi %c7, %v : i64
        // CHECK: arith.remsi %{{.*}}, %c7
        %r = arith.remsi %q, %c7 : i64
        %p = arith.cmpi slt, %r, %c7 : i64
        // CHECK: %[[OFF:.*]] = arith.xori %[[IN]]
        // CHECK: %[[OK:.*]] = arith.ori %{{.*}}, %[[OFF]]
        // CHECK: kernel.check assert %[[OK]]
        kernel.check assert %p, "no"
        // CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %{{.*}}
        // CHECK: kernel.store %{{.*}} if %[[BOTH]]
        kernel.store %r, %X[%i] if %p : memref<?xi64>
        // CHECK: kernel.update %{{.*}} if %[[IN]]
        kernel.update %r, %X[%i] : memref<?xi64> by arith.addi
      } {kernel.tail}
    }
  }
  return
}

// -----

// The contribution is selected, not only its loads masked.
// CHECK-LABEL: @contribution
func.func @contribution(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xf32>, %N = %n : index) outs (%S = %s : memref<f32>) {
    // CHECK: %[[Z:.*]] = arith.constant 0.0
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i.0" (%i) in 8 at vector reduce (%z : f32) by arith.addf {
      // CHECK: %[[IN:.*]] = arith.cmpi slt
      %in = arith.cmpi slt, %i, %N : index
      %c = scf.if %in -> (f32) {
        // CHECK: kernel.load %X[%{{.*}}] if %[[IN]]
        %v = kernel.load %X[%i] : memref<?xf32>
        // CHECK: %[[E:.*]] = math.exp
        %e = math.exp %v : f32
        scf.yield %e : f32
      } else {
        scf.yield %z : f32
      } {kernel.tail}
      // CHECK: %[[C:.*]] = arith.select %[[IN]], %[[E]], %[[Z]]
      // CHECK: kernel.yield %[[C]]
      kernel.yield %c : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}

// -----

// Loops inside of the guard are masked with it.
// CHECK-LABEL: @inner_loop
func.func @inner_loop(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "i.0" (%i) in 8 at vector {
      // CHECK: %[[IN:.*]] = arith.cmpi slt
      %in = arith.cmpi slt, %i, %N : index
      scf.if %in {
        // CHECK: %[[S:.*]] = kernel.for "k"
        %s = kernel.for "k" (%k) in %N reduce (%z : f32) by arith.addf {
          // CHECK: kernel.load %X[%{{.*}}] if %[[IN]]
          %v = kernel.load %X[%k] : memref<?xf32>
          kernel.yield %v : f32
        }
        // CHECK: kernel.store %[[S]], %X[%{{.*}}] if %[[IN]]
        kernel.store %s, %X[%i] : memref<?xf32>
      } {kernel.tail}
    }
  }
  return
}

// -----

// Threads branch; of iterations that one takes together the loads go ahead, up
// to a check of what stays, with what their indices are computed of. What divides
// by what may be zero stays.
// CHECK-LABEL: @loads_ahead
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @loads_ahead(%x: memref<?xi64>, %y: memref<?xi64>, %s: memref<i64>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi64>, %Y[%N] = %y : memref<?xi64>, %N = %n : index) outs (%S = %s : memref<i64>) {
    %z = arith.constant 0 : i64
    %c7 = arith.constant 7 : i64
    %r = kernel.for "i.0" (%i) in 8 at unroll reduce (%z : i64) by arith.addi {
      // CHECK: %[[IN:.*]] = arith.cmpi slt
      %in = arith.cmpi slt, %i, %N : index
      // CHECK-NEXT: %[[V:.*]] = kernel.load %X[%{{.*}}] if %[[IN]]
      // CHECK-NEXT: %[[AT:.*]] = arith.index_cast %[[V]]
      // CHECK-NEXT: %[[W:.*]] = kernel.load %Y[%[[AT]]] if %[[IN]]
      // CHECK-NEXT: scf.if %[[IN]]
      %c = scf.if %in -> (i64) {
        %v = kernel.load %X[%i] : memref<?xi64>
        %at = arith.index_cast %v : i64 to index
        %w = kernel.load %Y[%at] : memref<?xi64>
        // CHECK-NEXT: arith.divsi
        %q = arith.divsi %c7, %w : i64
        %to = arith.index_cast %q : i64 to index
        // CHECK: kernel.load %X[%{{.*}}] : memref
        %u = kernel.load %X[%to] : memref<?xi64>
        %p = arith.cmpi slt, %u, %c7 : i64
        // CHECK: kernel.check
        kernel.check assert %p, "no"
        // CHECK-NEXT: kernel.load %Y[%{{.*}}] : memref
        %o = kernel.load %Y[%i] : memref<?xi64>
        %e = arith.addi %o, %u : i64
        scf.yield %e : i64
      } else {
        scf.yield %z : i64
      } {kernel.tail}
      kernel.yield %c : i64
    }
    kernel.store %r, %S[] : memref<i64>
  }
  return
}
}

// -----

// Loads behind a check go ahead, too, where what it asks is known: masked by
// that, as nothing else says that they are inside. The check stays, and so does
// a load that would wait for what only the check needs.
// CHECK-LABEL: @checked
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @checked(%x: memref<?xi64>, %y: memref<?xf32>, %s: memref<f32>, %n: index) {
  kernel.launch @k (%X[%N] = %x : memref<?xi64>, %Y[%M] = %y : memref<?xf32>, %N = %n : index, %M = %n : index) outs (%S = %s : memref<f32>) {
    %z = arith.constant 0.0 : f32
    %r = kernel.for "i.0" (%i) in 8 at unroll reduce (%z : f32) by arith.addf {
      // CHECK: %[[IN:.*]] = arith.cmpi slt
      %in = arith.cmpi slt, %i, %N : index
      // CHECK: %[[V:.*]] = kernel.load %X[%{{.*}}] if %[[IN]]
      // CHECK: %[[AT:.*]] = arith.index_cast %[[V]]
      // CHECK: %[[OK:.*]] = arith.cmpi ult, %[[AT]]
      // CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %[[OK]]
      // CHECK: %[[W:.*]] = kernel.load %Y[%[[AT]]] if %[[BOTH]]
      // CHECK-NEXT: scf.if %[[IN]]
      %c = scf.if %in -> (f32) {
        %v = kernel.load %X[%i] : memref<?xi64>
        %at = arith.index_cast %v : i64 to index
        %ok = arith.cmpi ult, %at, %M : index
        // CHECK-NEXT: kernel.check index %[[OK]]
        // CHECK-NEXT: kernel.load %Y[%{{.*}}] : memref
        kernel.check index %ok, "index {0} is outside" [%at : index]
        %w = kernel.load %Y[%at] if %ok : memref<?xf32>
        %u = kernel.load %Y[%i] : memref<?xf32>
        %p = arith.mulf %w, %u : f32
        scf.yield %p : f32
      } else {
        scf.yield %z : f32
      } {kernel.tail}
      kernel.yield %c : f32
    }
    kernel.store %r, %S[] : memref<f32>
  }
  return
}
}

// -----

// One iteration at a time gains nothing from a second branch.
// CHECK-LABEL: @alone
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @alone(%x: memref<?xf32>, %n: index) {
  kernel.launch @k (%N = %n : index) outs (%X[%N] = %x : memref<?xf32>) {
    kernel.for "i.0" (%i) in 256 at thread.x {
      %in = arith.cmpi slt, %i, %N : index
      // CHECK: scf.if
      scf.if %in {
        // CHECK-NEXT: kernel.load %X[%{{.*}}] : memref
        %v = kernel.load %X[%i] : memref<?xf32>
        %e = math.exp %v : f32
        kernel.store %e, %X[%i] : memref<?xf32>
      } {kernel.tail}
    }
  }
  return
}
}

// -----

// A thread asks once for the element of a dimension that it has, in front of
// its loops; what depends on their iterations stays.
// CHECK-LABEL: @asked_once
// CHECK:      kernel.for "j.1" (%[[T:.*]]) in 32 at thread.x
// CHECK-NEXT:   %[[IN:.*]] = arith.cmpi slt, %[[T]],
// CHECK-NEXT:   scf.if %[[IN]]
// CHECK-NEXT:     kernel.for "i.1"
// CHECK-NEXT:       %[[ROW:.*]] = arith.cmpi slt
// CHECK:            kernel.load %X[%{{.*}}] if %[[ROW]]
// CHECK:            scf.if %[[ROW]]
// CHECK-NOT:          scf.if
// CHECK:              kernel.store
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @asked_once(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %n: index, %m: index) {
  kernel.launch @k (%N = %n : index, %M = %m : index, %X[%N, %M] = %x : memref<?x?xf32>) outs (%Y[%N, %M] = %y : memref<?x?xf32>) {
    kernel.for "j.1" (%j) in 32 at thread.x {
      kernel.for "i.1" (%i) in 4 at unroll {
        %p = arith.cmpi slt, %i, %N : index
        scf.if %p {
          %q = arith.cmpi slt, %j, %M : index
          scf.if %q {
            %v = kernel.load %X[%i, %j] : memref<?x?xf32>
            %e = math.exp %v : f32
            kernel.store %e, %Y[%i, %j] : memref<?x?xf32>
          } {kernel.tail}
        } {kernel.tail}
      }
    }
  }
  return
}
}

// -----

// Nothing is asked in front of what every thread does.
// CHECK-LABEL: @done_by_all
// CHECK:      kernel.for "i.1"
// CHECK-NEXT:   kernel.store
// CHECK:        scf.if
module attributes {kernel.device = #kernel.device<"cuda">} {
func.func @done_by_all(%x: memref<4xf32>, %y: memref<4x?xf32>, %m: index) {
  kernel.launch @k (%M = %m : index) outs (%X[4] = %x : memref<4xf32>, %Y[4, %M] = %y : memref<4x?xf32>) {
    %z = arith.constant 0.0 : f32
    kernel.for "j.1" (%j) in 32 at thread.x {
      kernel.for "i.1" (%i) in 4 at unroll {
        kernel.store %z, %X[%i] : memref<4xf32>
        %q = arith.cmpi slt, %j, %M : index
        scf.if %q {
          kernel.store %z, %Y[%i, %j] : memref<4x?xf32>
        } {kernel.tail}
      }
    }
  }
  return
}
}
