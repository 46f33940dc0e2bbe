# A box of two indices, from integer parameters.
# RUN: arrc run %s --check n=2 m=3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check n=0 m=3 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check n=-1 m=3 2>&1 | FileCheck %s --check-prefix=R3
export def f(n: int, m: int) -> int[n, m] = for i in n, j in m { i * 10 + j }

# R1: out: i64[2, 3] {{\[\[}}0, 1, 2], [10, 11, 12]]
# R2: out: i64[0, 3] []
# R3: error
