# The first rows of a matrix, filled: lanes run along elements of all of them.
# RUN: arrc run %s --check "z=[[1, 2, 3], [4, 5, 6], [7, 8, 9]]" | FileCheck %s
# CHECK: a: u8[3, 3] {{\[\[}}1, 1, 1], [1, 1, 1], [3, 3, 3]]
# CHECK: b: f32[3, 3] {{\[\[}}2, 3, 4], [5, 6, 7], [7, 8, 9]]
export def f(z: f32[n, m]) -> (a: u8[n, m], b: f32[n, m]) {
  var a: u8[n, m] = for i in n, j in m { 3 }
  a[:max(n - 1, 0)] = 1
  var b = z
  b[:max(n - 1, 0)] += 1.0
  (a, b)
}
