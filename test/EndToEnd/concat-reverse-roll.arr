# Arrays put together, turned round, rotated.
# RUN: arrc run %s --check --entry f 'a=[1, 2, 3]' 'b=[4, 5]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'a=[[1, 2], [3, 4]]' | FileCheck %s --check-prefix=R2
export def f(a: int[n], b: int[m]) -> (c: int[n+m], r: int[n], p: int[n], q: int[n]) =
  (concat(a, b), reverse(a), roll(a, 1), roll(a, -2))
export def g(a: int[n, m]) -> (c: int[n, 2*m], r: int[n, m], s: int[n, m]) =
  (concat(a, a, axis = 1), reverse(a, axis = 0), roll(a, 1, axis = 1))

# R1: c: i64[5] [1, 2, 3, 4, 5]
# R1: r: i64[3] [3, 2, 1]
# R1: p: i64[3] [3, 1, 2]
# R1: q: i64[3] [3, 1, 2]
# R2: c: i64[2, 4] {{\[\[}}1, 2, 1, 2], [3, 4, 3, 4]]
# R2: r: i64[2, 2] {{\[\[}}3, 4], [1, 2]]
# R2: s: i64[2, 2] {{\[\[}}2, 1], [4, 3]]
