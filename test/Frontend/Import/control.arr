# Variables are values; loops and branches return the ones that they assign.
# RUN: arrc build %s --emit=array --no-locations | FileCheck %s

# CHECK-LABEL: func.func @while_(
# CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (tensor<?xf32>, i64) -> (tensor<?xf32>, i64)
# CHECK:   scf.condition
# CHECK: } do {
# CHECK:   array.bind %{{.*}} [%[[N:.*]]]
# CHECK:   scf.yield
export def while_(a: f32[n], k: int) -> f32[n] {
  var b = a
  var i = 0
  while i < k {
    b = b + b
    i += 1
  }
  b
}

# A swap is an exchange of values.
# CHECK-LABEL: func.func @swap(
# CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
# CHECK: %[[XB:.*]] = array.bind %[[X]]
# CHECK: %[[YB:.*]] = array.bind %[[Y]]
# CHECK: scf.yield %[[YB]], %[[XB]]
export def swap(a: f32[n], b: f32[n], k: int) -> (f32[n], f32[n]) {
  var (x, y) = (a, b)
  loop _ in k { (x, y) = (y, x) }
  (x, y)
}

# A range that counts down.
# CHECK-LABEL: func.func @down(
# CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
# CHECK: affine.apply #{{.*}}(%[[K]]
export def down(n: int) -> int {
  var s = 0
  loop k in n-1:-1:-1 { s = 2 * s + k }
  s
}

# CHECK-LABEL: func.func @branch(
# CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (f32, i64) {
# CHECK: } else {
# CHECK: }
# CHECK: return %[[R]]#0, %[[R]]#1
export def branch(x: f32, k: int) -> (f32, int) {
  var y = x
  var n = k
  if x > 0.0 {
    y = y + 1.0
  } else {
    n += 1
  }
  (y, n)
}

# Values that cost nothing are selected.
# CHECK-LABEL: func.func @pick(
# CHECK: arith.select
# CHECK-NOT: scf.if
# CHECK: return
export def pick(c: bool, x: f32, y: f32) -> f32 = if c { x } else { y }

# CHECK-LABEL: func.func @asserts(
# CHECK: array.check assert %{{.*}}, "x is too small"
export def asserts(x: f32) -> f32 {
  assert x > 1.0, "x is too small"
  x
}

# An array that grows is carried by a 'while', also where the program counts.
# CHECK-LABEL: func.func @grow(
# CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (index, tensor<?xi64>)
# CHECK-NOT: array.bind
# CHECK: tensor.dim
export def grow(n: int) -> int[?] {
  var f: int[?] = [1]
  loop _ in n { f = concat(f, f) }
  f
}

# A shape with two unknown sizes is written out.
# CHECK-LABEL: func.func @shape(
# CHECK: tensor.collapse_shape
# CHECK: array.view %{{.*}} (d0, d1)[s0] -> (d0 * s0 + d1)
export def shape(a: f32[n, m]) -> f32[m, n] = reshape(a, m, n)
