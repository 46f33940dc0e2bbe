# Reductions over the indices that meet a condition.
# RUN: arrc run %s --check 'a=[5, -1, 2, 0, 7]' | FileCheck %s
export def f(a: int[n]) -> (s: int, c: int, m: int) =
  (sum for i if a[i] > 0 { a[i] }, count for i if i % 2 == 0 { a[i] > 0 }, max for x in a if x < 3 { x })

# CHECK: s: i64 14
# CHECK: c: i64 3
# CHECK: m: i64 2
