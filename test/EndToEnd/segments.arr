# Sums of segments and a sparse matrix times a vector.
# RUN: arrc run %s --check --entry seg 'v=[1.0, 2.0, 3.0, 4.0]' 'off=[0, 1, 1, 4]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry spmv 'vals=[1.0, 2.0, 3.0]' 'col=[0, 2, 1]' 'row=[0, 2, 2, 3]' 'x=[1.0, 10.0, 100.0]' | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check --entry seg 'v=[1.0]' 'off=[0, 2]' 2>&1 | FileCheck %s --check-prefix=R3
# RUN: %exit_code 3 arrc run %s --check --entry spmv 'vals=[1.0]' 'col=[3]' 'row=[0, 1]' 'x=[1.0]' 2>&1 | FileCheck %s --check-prefix=R4
export def seg(v: f32[nnz], off: int[n+1]) -> f32[n] = for i in n { sum(v[off[i]:off[i+1]]) }
export def spmv(vals: f32[nnz], col: int[nnz], row: int[n+1], x: f32[m]) -> f32[n] =
  for i in n { sum for k in row[i]:row[i+1] { vals[k] * x[col[k]] } }

# R1: out: f32[3] [1, 0, 9]
# R2: out: f32[3] [201, 0, 30]
# R3: segments.arr:
# R4: segments.arr:
