# Index errors name index, size and place; the first index that fails counts.
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1, 2, 3]' k=3 2>&1 | FileCheck %s --check-prefix=R1
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1, 2, 3]' k=-1 2>&1 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check --entry g 'a=[1, 2, 3]' k=2 2>&1 | FileCheck %s --check-prefix=R3
# RUN: %exit_code 3 arrc run %s --check --entry h 'a=[[1, 2]]' j=2 2>&1 | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry g 'a=[1, 2, 3]' k=0 | FileCheck %s --check-prefix=R5
export def f(a: int[n], k: int) -> int = a[k]
export def g(a: int[n], k: int) -> int[n] = for i in n { a[i + k] }
export def h(a: int[n, m], j: int) -> int[n] = for i in n { a[i, j] }

# R1: bounds.arr:7:
# R1: 3
# R2: bounds.arr:7:
# R2: -1
# R3: bounds.arr:8:
# R3: 3
# R4: bounds.arr:9:
# R4: 2
# R5: out: i64[3] [1, 2, 3]
