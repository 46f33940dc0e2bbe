# The first of equals; the first NaN wins; several indices give a tuple.
# RUN: arrc run %s --check --entry f 'a=[2.0, 1.0, 1.0, 2.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[2.0, nan, 1.0, nan]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry g 'a=[[1, 9, 3], [9, 0, 9]]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry rows 'a=[[3, 1, 1], [0, 0, 2]]' | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry f 'a=[-0.0, 0.0, -0.0]' | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry f 'a=[inf, inf]' | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry f 'a=[-inf, nan, inf, nan]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry long n=100003 | FileCheck %s --check-prefix=R6
# RUN: arrc run %s --check --entry grid n=301 m=517 | FileCheck %s --check-prefix=R7
# RUN: arrc run %s --check --entry some 'a=[4, 1, 3, 2, 2]' t=1 | FileCheck %s --check-prefix=R8
export def f(a: f32[n]) -> (lo: int, hi: int) = (argmin(a), argmax(a))
export def g(a: int[n, m]) -> (i: int, j: int) {
  let (i, j) = argmax for i, j { a[i, j] }
  (i, j)
}
export def rows(a: int[n, m]) -> int[n] = argmin(a, axis = 1)
# Ties in all lanes and blocks; the value as well.
export def long(n: int) -> (least: f16, lo: int, hi: int) {
  let a = for i in n { f16((i * 7919) % 13) }
  (min(a), argmin(a), argmax(a))
}
export def grid(n: int, m: int) -> (r: int[4], c: int[4], i: int, j: int) {
  let a = for i in n, j in m { (i * 31 + j * 17) % 101 }
  let r = argmin(a, axis = 1)
  let c = argmax(a, axis = 0)
  let (i, j) = argmax for i in n, j in m { a[i, j] }
  (r[0:4], c[0:4], i, j)
}
export def some(a: i8[n], t: i8) -> int = argmin for i in n if a[i] > t { a[i] }

# R1: lo: i64 1
# R1: hi: i64 0
# R2: lo: i64 1
# R2: hi: i64 1
# R3: i: i64 0
# R3: j: i64 1
# R4: out: i64[2] [1, 0]
# R5: lo: i64 0
# R5: hi: i64 0
# R6: least: f16 0
# R6: lo: i64 0
# R6: hi: i64 6
# R7: r: i64[4]
# R8: out: i64 3
