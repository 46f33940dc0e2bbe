# A sequential recurrence in parallel over rows.
# RUN: arrc run %s --check 'a=[[1, 1, 1], [2, 0, 0]]' | FileCheck %s
export def f(a: int[n, m]) -> int[n, m] =
  for i in n {
    var v = a[i]
    loop k in 1:m { v[k] = v[k] + 2 * v[k-1] }
    v
  }

# CHECK: out: i64[2, 3] {{\[\[}}1, 3, 7], [2, 4, 8]]
