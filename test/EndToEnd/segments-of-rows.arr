# A sparse matrix in compressed rows, one of them empty.
# RUN: arrc run %s --check 'row=[0, 2, 2, 5]' 'col=[0, 3, 1, 2, 3]' 'v=[1.0, 2.0, 3.0, 4.0, 5.0]' 'x=[1.0, 10.0, 100.0, 1000.0]' | FileCheck %s
export def spmv(row: int[n+1], col: int[k], v: f64[k], x: f64[m]) -> f64[n] =
  for i in n { sum for e in row[i]:row[i+1] { v[e] * x[col[e]] } }

# CHECK: out: f64[3] [2001, 0, 5430]
