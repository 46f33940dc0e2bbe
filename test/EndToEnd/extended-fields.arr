# Fields that are arrays, of an extended array of structs: their dimensions stand
# behind those that are extended.
# RUN: arrc run %s --check 'c.h=[[1,2,3],[4,5,6]]' 'c.u=[[[1,2],[3,4],[5,6]],[[7,8],[9,10],[11,12]]]' 2>&1 | FileCheck %s
# CHECK: check: ok
# CHECK: a: f32[2, 3] {{\[\[}}-1, -3, -1], [-1, -3, -1]]
struct C { h: f32, u: f32[2] }
export def f(c: C[n, m]) -> (a: f32[n, m], b: f32[n, m, 2], d: f32[n, m]) {
  let e = extend(c, wrap, clamp)
  let a = for i in n, j in m { e.u[i + 1, j - 1, 1] - e[i - 1, j + 1].u[0] }
  let b = for i in n, j in m { e.u[i - 1, j] }
  let d = stencil i in n, j in m { sum for q in 2 { e.u[i - 1, j + 1, q] * e.h[i, j + 1] } }
  (a, b, d)
}
