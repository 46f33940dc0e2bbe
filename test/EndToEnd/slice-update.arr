# Assignments to elements, slices, rows; a scalar fills.
# RUN: arrc run %s --check --entry f 'a=[1, 2, 3, 4, 5, 6]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'a=[[1, 2], [3, 4]]' | FileCheck %s --check-prefix=R2
export def f(a: int[n]) -> int[n] where n >= 5 {
  var v = a
  v[1:3] = 0
  v[0] = 10
  v[3:5] = [7, 8]
  v[0] += 5
  v
}
export def g(a: int[n, m]) -> int[n, m] where n >= 2, m >= 2 {
  var v = a
  v[0] = a[1]
  v[:, 1] = 9
  v[1, 0] *= 2
  v
}

# R1: out: i64[6] [15, 0, 0, 7, 8, 6]
# R2: out: i64[2, 2] {{\[\[}}3, 9], [6, 9]]
