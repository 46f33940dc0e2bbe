# Inclusive and exclusive scans, of rows and along an axis.
# RUN: arrc run %s --check --entry f 'a=[3, 1, 4, 1]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry rows 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=R3
export def f(a: int[n]) -> (x: int[n], y: int[n], z: int[n]) =
  (scan((+)) for i { a[i] }, exscan((+), 0, a), scan(max, a))
export def rows(a: int[n, m]) -> (x: int[n, m], y: int[n, m]) =
  (for i { scan((+)) for j { a[i, j] } }, scan((+), a, axis = 0))

# R1: x: i64[4] [3, 4, 8, 9]
# R1: y: i64[4] [0, 3, 4, 8]
# R1: z: i64[4] [3, 3, 4, 4]
# R2: x: i64[0] []
# R2: y: i64[0] []
# R2: z: i64[0] []
# R3: x: i64[2, 3] {{\[\[}}1, 3, 6], [4, 9, 15]]
# R3: y: i64[2, 3] {{\[\[}}1, 2, 3], [5, 7, 9]]
