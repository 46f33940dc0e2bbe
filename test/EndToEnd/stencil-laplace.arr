# A five-point stencil with a zero outside.
# RUN: arrc run %s --check 'u=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]' | FileCheck %s
export def f(u: f32[n, m]) -> f32[n, m] {
  let e = extend(u, 0.0)
  stencil i in n, j in m { e[i-1, j] + e[i+1, j] + e[i, j-1] + e[i, j+1] - 4.0 * e[i, j] }
}

# CHECK: out: f32[2, 3] {{\[\[}}2, 1, -4], [-10, -8, -16]]
