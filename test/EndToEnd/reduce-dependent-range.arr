# A range that depends on the index to its left.
# RUN: arrc run %s --check n=4 | FileCheck %s
export def f(n: int) -> (pairs: int, triangle: int) =
  (count for i in n, j in i { true }, sum for i in n, j in i:n { i * j })

# CHECK: pairs: i64 6
# CHECK: triangle: i64 25
