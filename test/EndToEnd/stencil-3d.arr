# A stencil in three dimensions, wrapped.
# RUN: arrc run %s --check 'u=[[[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, 0, 2]]]' | FileCheck %s
export def f(u: int[n, m, l]) -> int[n, m, l] {
  let e = extend(u, wrap)
  stencil i in n, j in m, k in l { sum for a in -1:2, b in -1:2, c in -1:2 { e[i + a, j + b, k + c] } }
}

# CHECK: out: i64[3, 3, 3] {{\[\[\[}}48, 48, 48], [48, 48, 48], [48, 48, 48]], {{\[\[}}48, 48, 48], [48, 48, 48], [48, 48, 48]], {{\[\[}}48, 48, 48], [48, 48, 48], [48, 48, 48]]]
