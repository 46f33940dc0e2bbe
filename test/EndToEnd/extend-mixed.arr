# One mode a dimension; the fill of the first dimension that is outside.
# RUN: arrc run %s --check 'a=[[1, 2], [3, 4]]' | FileCheck %s
export def f(a: int[n, m]) -> (x: int[n+2, m+2], y: int[n+2, m+2]) {
  let u = extend(a, clamp, wrap)
  let v = extend(a, -1, -2)
  (for i in n + 2, j in m + 2 { u[i-1, j-1] }, for i in n + 2, j in m + 2 { v[i-1, j-1] })
}

# CHECK: x: i64[4, 4] {{\[\[}}2, 1, 2, 1], [2, 1, 2, 1], [4, 3, 4, 3], [4, 3, 4, 3]]
# CHECK: y: i64[4, 4] {{\[\[}}-1, -1, -1, -1], [-2, 1, 2, -2], [-2, 3, 4, -2], [-1, -1, -1, -1]]
