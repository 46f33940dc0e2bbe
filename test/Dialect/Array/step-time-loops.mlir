// RUN: arr-opt %s --arr-step-time-loops --canonicalize | FileCheck %s
// RUN: arr-opt %s --arr-step-time-loops --remark-format=emitRemark --remarks-filter='.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A condition that passes on something else than it was asked about.
// REMARK: remark: {{.*}}its condition computes what its body is given
// CHECK-LABEL: func.func @no_other_state(
// CHECK: scf.while
func.func @no_other_state(%x: tensor<?xf32>, %c: i1) -> tensor<?xf32>
    attributes {arrc.export, arrc.params = [{dims = ["n"], element = "f32", name = "x", rank = 1 : i64, type = "f32[n]"}, {dims = [], element = "bool", name = "c", rank = 0 : i64, type = "bool"}],
                arrc.results = [{dims = ["n"], element = "f32", name = "y", rank = 1 : i64, type = "f32[n]"}]} {
  %r = scf.while (%a = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %b = array.map (%i) in (%n) {
      %v = array.at %a[%i] : tensor<?xf32>
      %w = arith.negf %v : f32
      array.yield %w : f32
    } : tensor<?xf32>
    scf.condition(%c) %b : tensor<?xf32>
  } do {
  ^bb0(%a: tensor<?xf32>):
    scf.yield %a : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// An array without dimensions would pass for a number.
// REMARK: remark: {{.*}}it carries what no export can return
// CHECK-LABEL: func.func @no_rank(
func.func @no_rank(%x: tensor<f32>, %n: index) -> tensor<f32> attributes {arrc.export} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<f32> {
    scf.yield %a : tensor<f32>
  }
  return %r : tensor<f32>
}

// Numbers alone are no time loop.
// CHECK-LABEL: func.func @no_array(
func.func @no_array(%n: index) -> i64 attributes {arrc.export} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> i64 {
    %v = arith.addi %a, %a : i64
    scf.yield %v : i64
  }
  return %r : i64
}

// The sizes are those of the arrays; 7 is a constant again; `w`, `low` and `k`
// have to be passed. Behind the loop stands what used it.
// CHECK-LABEL: func.func @steps__begin(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32> {bufferization.writable = false}, %[[W:.*]]: tensor<?xf32> {{.*}}, %[[LOW:.*]]: i64, %[[K:.*]]: i64) -> (i64, i64, tensor<?xf32>
// CHECK-SAME: arrc.params = [{{.*}}name = "x"{{.*}}name = "w"
// CHECK: arith.ceildivsi
// CHECK-NOT: scf.for
// CHECK: return
// CHECK-LABEL: func.func @steps__step(
// CHECK-SAME: %[[COUNT:arg0]]: i64, %[[NEXT:arg1]]: i64, %[[S:arg2]]: tensor<?xf32> {bufferization.writable = false}
// CHECK-SAME: arrc.params = [{dims = [], element = "i64", name = "count", rank = 0 : i64, type = "i64"}
// CHECK-DAG: %[[STEP:.*]] = arith.constant 7 : index
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[S]], %c0
// CHECK: arith.minsi
// CHECK: scf.for %{{.*}} to %{{.*}} step %[[STEP]] iter_args(%[[A:.*]] = %[[S]])
// CHECK: array.map {{.*}} in (%[[N]])
// CHECK: return {{.*}} : i64, i64, tensor<?xf32>
// CHECK-LABEL: func.func @steps__end(
// CHECK: %[[SUM:.*]] = array.reduce
// CHECK: return %{{.*}}, %[[SUM]] : tensor<?xf32>, f32
// CHECK-NOT: func.func @steps(
func.func @steps(%x0: tensor<?xf32> {bufferization.writable = false}, %w0: tensor<?xf32> {bufferization.writable = false}, %low: i64, %k: i64) -> (tensor<?xf32>, f32)
    attributes {arrc.export,
      arrc.params = [{dims = ["n"], element = "f32", name = "x", rank = 1 : i64, type = "f32[n]"}, {dims = ["n"], element = "f32", name = "w", rank = 1 : i64, type = "f32[n]"}, {dims = [], element = "i64", name = "low", rank = 0 : i64, type = "int"}, {dims = [], element = "i64", name = "k", rank = 0 : i64, type = "int"}],
      arrc.results = [{dims = ["n"], element = "f32", name = "y", rank = 1 : i64, type = "f32[n]"}, {dims = [], element = "f32", name = "s", rank = 0 : i64, type = "f32"}]} {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x0, %c0 : tensor<?xf32>
  %x = array.bind %x0 [%n] : tensor<?xf32>
  %w = array.bind %w0 [%n] : tensor<?xf32>
  %from = arith.index_cast %low : i64 to index
  %to = arith.index_cast %k : i64 to index
  %r = scf.for %t = %from to %to step %c7 iter_args(%a0 = %x) -> tensor<?xf32> {
    %a = array.bind %a0 [%n] : tensor<?xf32>
    %b = array.map (%i) in (%n) {
      %u = array.at %a[%i] : tensor<?xf32>
      %v = array.at %w[%i] : tensor<?xf32>
      %s = arith.addf %u, %v : f32
      array.yield %s : f32
    } : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  %y = array.bind %r [%n] : tensor<?xf32>
  %s = array.reduce (%i) in (%n) init (%z : f32) {
    %u = array.at %y[%i] : tensor<?xf32>
    array.yield %u : f32
  } by arith.addf
  return %y, %s : tensor<?xf32>, f32
}

// The bound of a `while` is that of the counter in its condition.
// CHECK-LABEL: func.func @until__begin(
// CHECK-SAME: %[[MOST:arg1]]: i64
// CHECK: %[[TOTAL:.*]] = arith.maxsi %[[MOST]]
// CHECK: return %[[TOTAL]]
// CHECK-LABEL: func.func @until__step(
// CHECK-SAME: %[[COUNT:arg0]]: i64
// CHECK: scf.while (%{{.*}}, %{{.*}}, %[[DONE:.*]] = %c0_i64)
// CHECK: %[[LEFT:.*]] = arith.cmpi slt, %{{.*}}, %[[COUNT]]
// CHECK: %[[BOTH:.*]] = arith.andi %{{.*}}, %[[LEFT]]
// CHECK: scf.condition(%[[BOTH]])
func.func @until(%x: tensor<?xf32>, %most: i64) -> tensor<?xf32>
    attributes {arrc.export, arrc.params = [{dims = ["n"], element = "f32", name = "x", rank = 1 : i64, type = "f32[n]"}, {dims = [], element = "i64", name = "most", rank = 0 : i64, type = "int"}],
                arrc.results = [{dims = ["n"], element = "f32", name = "y", rank = 1 : i64, type = "f32[n]"}]} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r:2 = scf.while (%a = %x, %i = %z) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64) {
    %go = arith.cmpi slt, %i, %most : i64
    scf.condition(%go) %a, %i : tensor<?xf32>, i64
  } do {
  ^bb0(%a: tensor<?xf32>, %i: i64):
    %next = arith.addi %i, %one : i64
    %b = array.map (%k) in (%n) {
      %u = array.at %a[%k] : tensor<?xf32>
      %v = arith.negf %u : f32
      array.yield %v : f32
    } : tensor<?xf32>
    scf.yield %b, %next : tensor<?xf32>, i64
  }
  return %r#0 : tensor<?xf32>
}
