# size of all and of one dimension; polynomials in sizes.
# RUN: arrc run %s --check 'a=[[1, 2, 3]]' 'row=[0, 0]' 'h=[1, 2]' | FileCheck %s --check-prefix=R1
# RUN: %exit_code 2 arrc run %s --check 'a=[[1, 2, 3]]' 'row=[0, 0, 0]' 'h=[1, 2]' 2>&1 | FileCheck %s --check-prefix=R2
export def f(a: int[n, m], row: int[n+1], h: int[2*n]) -> (s: int, d: int, r: int, t: int[n*m - 1]) =
  (size(a), size(a, 1), size(row) + n, for i in n * m - 1 { i })

# R1: s: i64 3
# R1: d: i64 3
# R1: r: i64 3
# R1: t: i64[2] [0, 1]
# R2: row
