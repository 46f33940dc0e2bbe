# Slices, missing ends, steps, rows and columns.
# RUN: arrc run %s --check --entry f 'a=[1, 2, 3, 4, 5]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=R2
# RUN: %exit_code 2 arrc run %s --check --entry f 'a=[1, 2]' 2>&1 | FileCheck %s --check-prefix=R3
export def f(a: int[n]) -> (p: int[?], q: int[?], r: int[?]) where n >= 4 {
  let p: int[?] = a[1:n-1]
  let q: int[?] = a[:2]
  let r: int[?] = a[1::2]
  (p, q, r)
}
export def g(a: int[n, m]) -> (row: int[m], col: int[n], box: int[2, 2]) where n >= 2, m >= 3 =
  (a[1], a[:, 1], a[0:2, 1:3])

# R1: p: i64[3] [2, 3, 4]
# R1: q: i64[2] [1, 2]
# R1: r: i64[2] [2, 4]
# R2: row: i64[3] [4, 5, 6]
# R2: col: i64[2] [2, 5]
# R2: box: i64[2, 2] {{\[\[}}2, 3], [5, 6]]
# R3: error
