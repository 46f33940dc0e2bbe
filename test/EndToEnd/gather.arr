# A subscript that is an array of integers.
# RUN: arrc run %s --check --entry f 'a=[10, 20, 30]' 'idx=[2, 0, 2, 1]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'a=[[1, 2], [3, 4]]' 'idx=[1, 1, 0]' | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[10, 20, 30]' 'idx=[3]' 2>&1 | FileCheck %s --check-prefix=R3
export def f(a: int[n], idx: int[m]) -> int[m] = a[idx]
export def g(a: int[n, k], idx: i32[m]) -> int[m, k] = a[idx]

# R1: out: i64[4] [30, 10, 30, 20]
# R2: out: i64[3, 2] {{\[\[}}3, 4], [3, 4], [1, 2]]
# R3: gather.arr:
