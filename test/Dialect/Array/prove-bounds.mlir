// RUN: arr-opt %s --arr-prove-bounds | FileCheck %s
// RUN: arr-opt %s --arr-prove-bounds --remark-format=emitRemark --remarks-filter=prove-bounds -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: [Missed] CheckedRead
// REMARK-SAME: the index of dimension 0 is not known to be inside
// CHECK-LABEL: func @no_proof_past_the_end
// CHECK: array.at %{{.*}}[%{{.*}}] : tensor<?xf32>
func.func @no_proof_past_the_end(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @no_proof_other_size
// CHECK: array.at %{{.*}}[%{{.*}}] : tensor<?xf32>
func.func @no_proof_other_size(%a0: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %r = array.map (%i) in (%m) {
    %x = array.at %a[%i] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// An empty array has nothing to clamp to.
// CHECK-LABEL: func @no_proof_empty
// CHECK: array.at %{{.*}}[%{{.*}}] : tensor<?xf32>
func.func @no_proof_empty(%a0: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %u = array.extend %a [clamp] : tensor<?xf32>
  %r = array.map (%i) in (%m) {
    %x = array.at %u[%i] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @own_index
// CHECK: array.at %{{.*}}[%{{.*}}, %{{.*}}] inbounds : tensor<?x4xf32>
func.func @own_index(%a0: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a0, %c0 : tensor<?x4xf32>
  %a = array.bind %a0 [%n, 4] : tensor<?x4xf32>
  %r = array.map (%i) in (%n) {
    %x = array.at %a[%i, %c3] : tensor<?x4xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// `for i in 1:n-1` with user integers: the extent is max(n - 2, 0).
// CHECK-LABEL: func @shifted_range
// CHECK-COUNT-3: array.at %{{.*}}[%{{.*}}] inbounds
func.func @shifted_range(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %m0 = arith.subi %n, %c2 : index
  %m = arith.maxsi %m0, %c0 : index
  %r = array.map (%q) in (%m) {
    %i = arith.addi %q, %c1 : index
    %i64 = arith.index_cast %i : index to i64
    %one = arith.constant 1 : i64
    %l64 = arith.subi %i64, %one : i64
    %l = arith.index_cast %l64 : i64 to index
    %h = arith.addi %i, %c1 : index
    %x = array.at %a[%l] : tensor<?xf32>
    %y = array.at %a[%i] : tensor<?xf32>
    %z = array.at %a[%h] : tensor<?xf32>
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    array.yield %t : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK-LABEL: func @clamped_by_hand
// CHECK: array.at %{{.*}}[%{{.*}}] inbounds
func.func @clamped_by_hand(%a0: tensor<?xf32>, %p: tensor<?xindex>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %b = array.bind %p [%n] : tensor<?xindex>
  %last = arith.subi %n, %c1 : index
  %r = array.map (%i) in (%n) {
    %k0 = array.at %b[%i] : tensor<?xindex>
    %k1 = arith.minsi %k0, %last : index
    %k = arith.maxsi %k1, %c0 : index
    %x = array.at %a[%k] : tensor<?xf32>
    array.yield %x : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A `where` of the function.
// CHECK-LABEL: func @checked_at_entry
// CHECK: array.at %{{.*}}[%{{.*}}] inbounds
func.func @checked_at_entry(%a0: tensor<?xf32>, %n: index, %k: i64) -> f32 {
  %c0 = arith.constant 0 : i64
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %p = arith.cmpi sge, %k, %c0 : i64
  %q = arith.cmpi slt, %k, %n64 : i64
  %ok = arith.andi %p, %q : i1
  array.check input %ok, "a precondition does not hold"
  %i = arith.index_cast %k : i64 to index
  %x = array.at %a[%i] : tensor<?xf32>
  return %x : f32
}

// The centre of a stencil needs no boundary, the others a size of 1 or more:
// there is an index.
// CHECK-LABEL: func @stencil
// CHECK-SAME: %[[A0:.*]]: tensor<?xf32>
// CHECK: %[[A:.*]] = array.bind
// CHECK: %[[U:.*]] = array.extend
// CHECK: array.at %[[U]][%{{.*}}] inbounds
// CHECK: array.at %[[A]][%{{.*}}] inbounds
func.func @stencil(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %u = array.extend %a [wrap] : tensor<?xf32>
  %r = array.stencil (%i) in (%n) {
    %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %x = array.at %u[%k] : tensor<?xf32>
    %y = array.at %u[%i] : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Inside only where the branch is taken: read through clamp, so that the read
// may be moved out of it.
// CHECK-LABEL: func @branch
// CHECK: %[[U:.*]] = array.extend %{{.*}} [clamp]
// CHECK: scf.if
// CHECK: array.at %[[U]][%{{.*}}] inbounds
func.func @branch(%a0: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %c = arith.cmpi sgt, %i, %c0 : index
    %v = scf.if %c -> f32 {
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %x = array.at %a[%k] : tensor<?xf32>
      scf.yield %x : f32
    } else {
      scf.yield %z : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A periodic index by hand: `a[(i - 1) % n]`.
// CHECK-LABEL: func @remainder
// CHECK-NOT: array.check
// CHECK: array.at %{{.*}}[%{{.*}}] inbounds
func.func @remainder(%a0: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %r = array.map (%i) in (%n) {
    %i64 = arith.index_cast %i : index to i64
    %x = arith.subi %i64, %one : i64
    %ok = arith.cmpi ne, %n64, %zero : i64
    array.check divide %ok, "remainder of a division by zero"
    %y0 = arith.select %ok, %n64, %one : i64
    %m = arith.cmpi eq, %y0, %minus : i64
    %y = arith.select %m, %one, %y0 : i64
    %rest = arith.remsi %x, %y : i64
    %sign = arith.xori %rest, %y : i64
    %wrong = arith.cmpi slt, %sign, %zero : i64
    %some = arith.cmpi ne, %rest, %zero : i64
    %moves = arith.andi %wrong, %some : i1
    %moved = arith.addi %rest, %y : i64
    %k64 = arith.select %moves, %moved, %rest : i64
    %k = arith.index_cast %k64 : i64 to index
    %v = array.at %a[%k] : tensor<?xf32>
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// Integers of the program wrap: of the greatest one, x + 1 is less than x.
// CHECK-LABEL: func @no_proof_wrapping
// CHECK: arith.cmpi sgt
func.func @no_proof_wrapping(%p: tensor<?xi64>, %n: index) -> tensor<?xi1> {
  %one = arith.constant 1 : i64
  %r = array.map (%i) in (%n) {
    %x = array.at %p[%i] : tensor<?xi64>
    %y = arith.addi %x, %one : i64
    %c = arith.cmpi sgt, %y, %x : i64
    array.yield %c : i1
  } : tensor<?xi1>
  return %r : tensor<?xi1>
}

// CHECK-LABEL: func @comparison
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: array.yield %[[T]]
func.func @comparison(%n: index) -> tensor<?xi1> {
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %r = array.map (%i) in (%n) {
    %c = arith.cmpi sle, %i, %last : index
    array.yield %c : i1
  } : tensor<?xi1>
  return %r : tensor<?xi1>
}

// A check under a branch uses it; the slice of a loop stays inside.
// CHECK-LABEL: func @checks
// CHECK-NOT: array.check
func.func @checks(%a0: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %r = array.map (%i) in (%n) {
    %c = arith.cmpi sgt, %i, %c0 : index
    %v = scf.if %c -> f32 {
      %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      %low = arith.cmpi sge, %k, %c0 : index
      %high = arith.cmpi slt, %k, %n : index
      %ok = arith.andi %low, %high : i1
      array.check index %ok, "index {0} is outside of a dimension of size {1}"[%k, %n : index, index]
      scf.yield %z : f32
    } else {
      scf.yield %z : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// `if i == 0 or i == n - 1 { .. } else { a[i-1] + a[i+1] }`
// CHECK-LABEL: func @not_at_the_edge
// CHECK-DAG: %[[U:.*]] = array.extend %{{.*}} [clamp]
// CHECK: array.at %{{.*}}[%{{.*}}] inbounds
// CHECK: array.at %{{.*}}[%{{.*}}] inbounds
func.func @not_at_the_edge(%a0: tensor<?xf32>, %n: index, %z: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %last = arith.subi %n, %c1 : index
  %r = array.map (%i) in (%n) {
    %p = arith.cmpi eq, %i, %c0 : index
    %q = arith.cmpi eq, %i, %last : index
    %c = arith.ori %p, %q : i1
    %v = scf.if %c -> f32 {
      scf.yield %z : f32
    } else {
      %k = arith.subi %i, %c1 : index
      %l = arith.addi %i, %c1 : index
      %x = array.at %a[%k] : tensor<?xf32>
      %y = array.at %a[%l] : tensor<?xf32>
      %s = arith.addf %x, %y : f32
      scf.yield %s : f32
    }
    array.yield %v : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}

// A sum that may wrap is no fact: `p = k % 3 + 2^63 - 2` is negative for k = 2.
// CHECK-LABEL: func @sum_that_wraps
// CHECK: arith.cmpi slt
// CHECK: arith.cmpi sge
func.func @sum_that_wraps(%a0: tensor<?xi64>, %n: index, %k: i64) -> tensor<?xi64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %far = arith.constant 9223372036854775806 : i64
  %a = array.bind %a0 [%n] : tensor<?xi64>
  %size = arith.index_cast %n : index to i64
  %r = array.map (%i) in (%n) {
    %rest = arith.remsi %k, %c3 : i64
    %p = arith.addi %rest, %far : i64
    %at = arith.index_cast %p : i64 to index
    %below = arith.cmpi slt, %p, %c0 : i64
    %above = arith.cmpi sge, %p, %size : i64
    %c = arith.ori %below, %above : i1
    %v = scf.if %c -> i64 {
      scf.yield %c1 : i64
    } else {
      %x = array.at %a[%at] : tensor<?xi64>
      scf.yield %x : i64
    }
    array.yield %v : i64
  } : tensor<?xi64>
  return %r : tensor<?xi64>
}

// A counter is a number of the step: up from 0, down from the last one, by two.
// CHECK-LABEL: func @counters
// CHECK-COUNT-4: array.at %{{.*}} inbounds
func.func @counters(%a0: tensor<?xf32>, %z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %size = arith.index_cast %n : index to i64
  %last = arith.subi %size, %one : i64
  %half = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]
  %r:3 = scf.for %t = %c0 to %n step %c1 iter_args(%s = %z, %j = %zero, %k = %last) -> (f32, i64, i64) {
    %p = arith.index_cast %j : i64 to index
    %q = arith.index_cast %k : i64 to index
    %x = array.at %a[%p] : tensor<?xf32>
    %y = array.at %a[%q] : tensor<?xf32>
    %v = arith.mulf %x, %y : f32
    %w = arith.addf %v, %s : f32
    %l = arith.addi %j, %one : i64
    %m = arith.subi %k, %one : i64
    scf.yield %w, %l, %m : f32, i64, i64
  }
  %u:2 = scf.for %t = %c0 to %half step %c1 iter_args(%s = %r#0, %j = %zero) -> (f32, i64) {
    %p = arith.index_cast %j : i64 to index
    %q = affine.apply affine_map<(d0) -> (d0 + 1)>(%p)
    %x = array.at %a[%p] : tensor<?xf32>
    %y = array.at %a[%q] : tensor<?xf32>
    %v = arith.mulf %x, %y : f32
    %w = arith.addf %v, %s : f32
    %l = arith.addi %j, %two : i64
    scf.yield %w, %l : f32, i64
  }
  return %u#0 : f32
}

// One step too many, one by any number, one that begins anywhere, one of 32 bits
// that may wrap.
// CHECK-LABEL: func @no_counters
// CHECK-NOT: inbounds
func.func @no_counters(%a0: tensor<?xf32>, %z: f32, %by: i64, %from: i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %word = arith.constant 0 : i32
  %single = arith.constant 1 : i32
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %more = arith.addi %n, %c1 : index
  %r:5 = scf.for %t = %c0 to %more step %c1 iter_args(%s = %z, %j = %zero, %k = %zero, %f = %from, %g = %word) -> (f32, i64, i64, i64, i32) {
    %p = arith.index_cast %j : i64 to index
    %q = arith.index_cast %k : i64 to index
    %o = arith.index_cast %f : i64 to index
    %b = arith.index_cast %g : i32 to index
    %x = array.at %a[%p] : tensor<?xf32>
    %y = array.at %a[%q] : tensor<?xf32>
    %e = array.at %a[%o] : tensor<?xf32>
    %d = array.at %a[%b] : tensor<?xf32>
    %v = arith.mulf %x, %y : f32
    %u = arith.mulf %v, %e : f32
    %h = arith.mulf %u, %d : f32
    %w = arith.addf %h, %s : f32
    %l = arith.addi %j, %one : i64
    %m = arith.addi %k, %by : i64
    %i = arith.addi %f, %one : i64
    %c = arith.addi %g, %single : i32
    scf.yield %w, %l, %m, %i, %c : f32, i64, i64, i64, i32
  }
  return %r#0 : f32
}

// What a `while` asks of its counter holds in its steps, not behind them.
// CHECK-LABEL: func @counter_of_while
// CHECK: do
// CHECK: array.at %{{.*}} inbounds
// CHECK: array.at %{{.*}}[%{{[0-9]+}}] : tensor
// CHECK: scf.yield
// CHECK: array.at %{{.*}}[%{{[0-9]+}}] : tensor
func.func @counter_of_while(%a0: tensor<?xf32>, %z: f32, %tol: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %a0, %c0 : tensor<?xf32>
  %a = array.bind %a0 [%n] : tensor<?xf32>
  %size = arith.index_cast %n : index to i64
  %r:2 = scf.while (%s = %z, %j = %zero) : (f32, i64) -> (f32, i64) {
    %c = arith.cmpi slt, %j, %size : i64
    %d = arith.cmpf olt, %s, %tol : f32
    %b = arith.andi %c, %d : i1
    scf.condition(%b) %s, %j : f32, i64
  } do {
  ^bb0(%s: f32, %j: i64):
    %p = arith.index_cast %j : i64 to index
    %l = arith.addi %j, %one : i64
    %q = arith.index_cast %l : i64 to index
    %x = array.at %a[%p] : tensor<?xf32>
    %y = array.at %a[%q] : tensor<?xf32>
    %v = arith.mulf %x, %y : f32
    %w = arith.addf %v, %s : f32
    scf.yield %w, %l : f32, i64
  }
  %e = arith.index_cast %r#1 : i64 to index
  %x = array.at %a[%e] : tensor<?xf32>
  return %x : f32
}
