# Edges that are assigned behind what a step computes and in front of it, from
# other rows, from other arrays, as numbers, with corners in common: they are
# computed with the array, in one kernel a step, and give the same bits.
# RUN: arrc run %s --check --sanitize 'g0=[[1]]' 'b=[2]' k=0 steps=0 | FileCheck %s --check-prefix=NO
# RUN: arrc run %s --check --sanitize 'g0=[[1]]' 'b=[2]' k=0 steps=1 | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check --sanitize 'g0=[[1, 3]]' 'b=[2, 5]' k=0 steps=2 | FileCheck %s --check-prefix=ROW
# RUN: arrc run %s --check --sanitize 'g0=[[1], [3]]' 'b=[2]' k=1 steps=2 | FileCheck %s --check-prefix=COLUMN
# RUN: arrc run %s --check --sanitize 'g0=[[1, 2, 3], [4, 5, 6], [7, 8, 9], [3, 1, 2], [5, 5, 5]]' 'b=[2, 0, 5]' k=3 steps=3 | FileCheck %s --check-prefix=ODD
# RUN: arrc run %s --check --sanitize 'g0=[[1, 2, 3], [4, 5, 6]]' 'b=[2, 0, 5]' k=1 steps=3 --without arr-fuse-slices | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --sanitize 'g0=[[1, 2, 3], [4, 5, 6]]' 'b=[2, 0, 5]' k=1 steps=3 | FileCheck %s --check-prefix=SAME
# RUN: %exit_code 3 arrc run %s 'g0=[[1, 2, 3], [4, 5, 6]]' 'b=[2, 0, 5]' k=2 steps=3 2>&1 | FileCheck %s --check-prefix=OUTSIDE
export def step(g0: f64[n, m], b: f64[m], k: int, steps: int) -> (g: f64[n, m], sum: f64) where n >= 1, m >= 1 {
  var g = g0
  var total: f64 = 0.0
  loop t in steps {
    g[0] = -g[k]
    g[:, end-1] = g[:, 0] + f64(t)
    let u = extend(g, clamp)
    g = stencil i in n, j in m { 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) - 0.125 * u[i, j] }
    g[end-1] = b * g[0]
    g[:, 0] = g[:, end-1] * g[:, end-1]
    g[0, :end-1] = 2.0
    g[:, end-1] = g[end-1, 0]
    total += sum(g)
  }
  (g, total)
}

# NO: g: f64[1, 1] {{\[\[}}1]]
# ONE: g: f64[1, 1] {{\[\[}}3.0625]]
# ROW: g: f64[1, 2] {{\[\[}}2, 2]]
# COLUMN: g: f64[2, 1] {{\[\[}}4.189697265625], [4.189697265625]]
# ODD: g: f64[5, 3] {{\[\[}}2, 2, 23429.391141189768], [13.809645348286722, 11.091583251953125, 23429.391141189768]
# SAME: g: f64[2, 3] {{\[\[}}2, 2, 1547637.687888673], [1547637.687888673, -0, 1547637.687888673]]
# OUTSIDE: error: index 2 is outside of a dimension of size 2
