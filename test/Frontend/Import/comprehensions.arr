# for, stencil and the combinators.
# RUN: arrc build %s --emit=array --no-locations | FileCheck %s

# Ranges start at 0: the index is shifted.
# CHECK-LABEL: func.func @ranges(
# CHECK: array.map (%[[I:.*]] "i") in (3)
# CHECK: affine.apply #{{.*}}(%[[I]])
export def ranges(k: int) -> int[3] = for i in 2:8:2 { i * k }

# One result a component.
# CHECK-LABEL: func.func @tuples(
# CHECK: %[[R:.*]]:2 = array.map
# CHECK: array.yield %{{.*}}, %{{.*}} : f32, i64
# CHECK: return %[[R]]#0, %[[R]]#1
export def tuples(a: f32[n]) -> (x: f32[n], y: int[n]) {
  let (x, y) = for i { (a[i], i) }
  (x, y)
}

# The sum and its product may be contracted; nothing else.
# CHECK-LABEL: func.func @sums(
# CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract>
# CHECK: } by arith.addf fastmath<contract>
# CHECK: math.fma
# CHECK-NOT: fastmath
# CHECK: } by arith.mulf
export def sums(a: f32[n], b: f32[n]) -> f32 = sum(a * b) * prod for i { a[i] * b[i] + 1.0 }

# CHECK-LABEL: func.func @folds(
# CHECK: arith.constant 0x7F800000
# CHECK: by arith.minimumf
# CHECK: by arith.maximumf
# CHECK: by arith.ori
# CHECK: by arith.andi
# CHECK: by arith.addi
export def folds(a: f32[n]) -> (f32, f32, bool, bool, int) =
  (min(a), max(a), any(a > 0.0), all(a > 0.0), count for x in a { x > 1.0 })

# f16 sums add up in f32 and round once.
# CHECK-LABEL: func.func @half(
# CHECK: %[[W:.*]] = arith.extf %{{.*}} : f16 to f32
# CHECK: array.yield %[[W]] : f32
# CHECK: by arith.addf fastmath<contract>
# CHECK: arith.truncf %{{.*}} : f32 to f16
export def half(a: f16[n]) -> f16 = sum(a)

# A condition gives the neutral element.
# CHECK-LABEL: func.func @conditional(
# CHECK: array.reduce
# CHECK: scf.if %{{.*}} -> (f32) {
# CHECK: } else {
# CHECK:   scf.yield %{{.*}} : f32
# CHECK: by arith.addf
export def conditional(a: f32[n]) -> f32 = sum for i if a[i] > 0.0 { a[i] }

# A range that depends on an index: a fold in a fold.
# CHECK-LABEL: func.func @triangle(
# CHECK: array.reduce (%[[I:.*]] "i") in
# CHECK:   array.reduce (%{{.*}} "j") in (%[[I]])
export def triangle(a: f32[n, n]) -> f32 = sum for i in n, j in i { a[i, j] }

# Of equals that of the smaller index, of which -1 is the largest; a NaN wins;
# nothing is an error.
# CHECK-LABEL: func.func @arg(
# CHECK: %[[NONE:.*]] = arith.constant -1 : index
# CHECK: array.reduce (%[[L:.*]] "l") in (%{{.*}}) init (%{{.*}}, %[[NONE]] : f32, index) {
# CHECK:   array.yield %{{.*}}, %[[L]] : f32, index
# CHECK: } by (%[[V:.*]]: f32, %[[I:.*]]: index, %[[W:.*]]: f32, %[[K:.*]]: index) {
# CHECK:   %[[LESS:.*]] = arith.cmpf ult, %[[W]], %[[V]]
# CHECK:   %[[NUMBER:.*]] = arith.cmpf ord, %[[V]], %[[V]]
# CHECK:   %[[FIRST:.*]] = arith.andi %[[LESS]], %[[NUMBER]]
# CHECK:   %[[SECOND:.*]] = arith.andi
# CHECK:   %[[BEFORE:.*]] = arith.cmpi ult, %[[K]], %[[I]]
# CHECK:   %[[EITHER:.*]] = arith.ori %[[FIRST]], %[[BEFORE]]
# CHECK:   %[[TAKE:.*]] = arith.select %[[SECOND]], %[[FIRST]], %[[EITHER]]
# CHECK:   arith.select %[[TAKE]], %[[W]], %[[V]]
# CHECK:   arith.select %[[TAKE]], %[[K]], %[[I]]
# CHECK: array.check size %{{.*}}, "argmin of nothing"
export def arg(a: f32[n]) -> int = argmin(a)

# Several indices are one place; small types are compared in 32 bits.
# CHECK-LABEL: func.func @arg_of_two(
# CHECK: array.reduce (%[[I:.*]] "i", %[[J:.*]] "j") in (%{{.*}}, %[[M:.*]]) init (%{{.*}}, %{{.*}} : f32, index) {
# CHECK:   %[[ROW:.*]] = arith.muli %[[I]], %[[M]]
# CHECK:   %[[PLACE:.*]] = arith.addi %[[ROW]], %[[J]]
# CHECK:   %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
# CHECK:   array.yield %[[WIDE]], %[[PLACE]] : f32, index
# CHECK: arith.cmpf ugt
export def arg_of_two(a: f16[n, m]) -> (int, int) = argmax for i in n, j in m { a[i, j] }

# Rows: a map over the row, a fold of one element inside.
# CHECK-LABEL: func.func @columns(
# CHECK: array.map (%[[J:.*]] "{{.*}}") in
# CHECK:   array.reduce (%[[I:.*]] "{{.*}}") in
# CHECK:     array.at %{{.*}}[%[[I]], %[[J]]] inbounds
export def columns(a: f32[n, m]) -> f32[m] = sum for i { a[i] }

# Small rows stay in the accumulator.
# CHECK-LABEL: func.func @small_rows(
# CHECK: array.reduce (%{{.*}} "i") in (%{{.*}}) init (%{{.*}} : tensor<3xf32>)
export def small_rows(p: f32[n, 3]) -> f32[3] = sum for i { p[i] }

# CHECK-LABEL: func.func @scans(
# CHECK: array.scan (%{{.*}} "i") in (%{{.*}}) init (%{{.*}} : f32) {
# CHECK: array.scan (%{{.*}} "i") in (%{{.*}}) init (%{{.*}} : f32) exclusive {
export def scans(a: f32[n]) -> (f32[n], f32[n]) =
  (scan((+)) for i { a[i] }, exscan((+), 1.0) for i { a[i] })

# An operator without a neutral element: a flag says whether there is a value.
# CHECK-LABEL: func.func @own_scan(
# CHECK: array.scan (%{{.*}} "i") in (%{{.*}}) init (%{{.*}}, %{{.*}} : i1, f32)
export def own_scan(a: f32[n]) -> f32[n] = scan(fn(x, y) => if x > y { x } else { y }) for i { a[i] }

# CHECK-LABEL: func.func @hists(
# CHECK: tensor.splat
# CHECK: array.scatter (%{{.*}} "i") in (%{{.*}}) into (%{{.*}} : tensor<?xi64>)
# CHECK: array.yield %{{.*}} : i64 at [%{{.*}}]
# CHECK: by arith.addi{{$}}
# CHECK: array.yield %{{.*}} : i32 at [%{{.*}}, %{{.*}}]
# CHECK: by arith.addi oob drop
# CHECK: oob clamp
export def hists(x: int[n], k: int) -> (int[k], i32[4, 4], int[k]) =
  (hist((+), 0, k) for i { (x[i], 1) },
   hist((+), 0, (4, 4), oob = drop) for i { ((x[i], x[i]), 1) },
   hist((+), 0, k, oob = clamp) for i { (x[i], 1) })

# What the condition drops goes to -1; what is outside is still an error.
# CHECK-LABEL: func.func @some(
# CHECK: scf.if
# CHECK:   array.check index
# CHECK: } else {
# CHECK:   arith.constant -1 : index
# CHECK: by arith.addi oob drop
export def some(x: int[n], k: int) -> int[k] = hist((+), 0, k) for i if x[i] != 3 { (x[i], 1) }

# CHECK-LABEL: func.func @scatters(
# CHECK: array.scatter {{.*}} into (%{{.*}} : tensor<?xf32>)
# CHECK-NOT: by
# CHECK: return
export def scatters(a: f32[n], at: int[m]) -> f32[n] = scatter(a) for i in m { (at[i], 1.0) }

# CHECK-LABEL: func.func @filter(
# CHECK: %[[R:.*]]:2 = array.filter (%{{.*}} "i") in
# CHECK: %[[KEEP:.*]] = arith.cmpf ogt
# CHECK: array.yield %[[KEEP]], %{{.*}} : i1, f32
# CHECK: } : tensor<?xf32>
# CHECK: return %[[R]]#1
export def filter(a: f32[n]) -> f32[?] = for x in a if x > 0.0 { x }
