# Five dimensions, read in another order.
# RUN: arrc run %s --check 'a=[[[[[1, 2], [3, 4]]]]]' | FileCheck %s
export def f(a: int[p, q, r, s, t]) -> (b: int[t, p, q, r, s], c: int[p, t]) =
  (for h in t, i in p, j in q, k in r, l in s { a[i, j, k, l, h] }, sum(a, axis = (1, 2, 3)))

# CHECK: b: i64[2, 1, 1, 1, 2] {{\[\[}}{{\[\[\[}}1, 3]]]], {{\[\[}}{{\[\[}}2, 4]]]]]
# CHECK: c: i64[1, 2] {{\[\[}}4, 6]]
