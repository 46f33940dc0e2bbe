# The first of equals; the first NaN wins; several indices give a tuple.
# RUN: arrc run %s --check --entry f 'a=[2.0, 1.0, 1.0, 2.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[2.0, nan, 1.0, nan]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry g 'a=[[1, 9, 3], [9, 0, 9]]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry rows 'a=[[3, 1, 1], [0, 0, 2]]' | FileCheck %s --check-prefix=R4
export def f(a: f32[n]) -> (lo: int, hi: int) = (argmin(a), argmax(a))
export def g(a: int[n, m]) -> (i: int, j: int) {
  let (i, j) = argmax for i, j { a[i, j] }
  (i, j)
}
export def rows(a: int[n, m]) -> int[n] = argmin(a, axis = 1)

# R1: lo: i64 1
# R1: hi: i64 0
# R2: lo: i64 1
# R2: hi: i64 1
# R3: i: i64 0
# R3: j: i64 1
# R4: out: i64[2] [1, 0]
