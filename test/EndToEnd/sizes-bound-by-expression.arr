# A name bound by n+1 and by 2*k.
# RUN: arrc run %s --check 'row=[0, 5, 7]' 'h=[1, 2, 3, 4]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'row=[0]' 'h=[]' | FileCheck %s --check-prefix=R2
# RUN: %exit_code 2 arrc run %s --check 'row=[]' 'h=[]' 2>&1 | FileCheck %s --check-prefix=R3
# RUN: %exit_code 2 arrc run %s --check 'row=[0]' 'h=[1]' 2>&1 | FileCheck %s --check-prefix=R4
export def f(row: int[n+1], h: int[2*k]) -> (n1: int, k1: int) = (n, k)

# R1: n1: i64 2
# R1: k1: i64 2
# R2: n1: i64 0
# R2: k1: i64 0
# R3: n+1
# R4: 2*k
