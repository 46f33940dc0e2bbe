# a @ b in all its forms.
# RUN: arrc run %s --check 'a=[[1, 2], [3, 4], [5, 6]]' 'b=[[1, 0, 2], [0, 1, 3]]' 'u=[1, 1, 1]' 'v=[10, 1]' | FileCheck %s
export def f(a: int[n, k], b: int[k, m], u: int[n], v: int[k]) -> (c: int[n, m], d: int[n], e: int[k], g: int) =
  (a @ b, a @ v, u @ a, v @ v)

# CHECK: c: i64[3, 3] {{\[\[}}1, 2, 8], [3, 4, 18], [5, 6, 28]]
# CHECK: d: i64[3] [12, 34, 56]
# CHECK: e: i64[2] [9, 12]
# CHECK: g: i64 101
