# A name bound by n+1 and by 2*k.
# RUN: arrc run %s --check --entry f 'row=[0, 5, 7]' 'h=[1, 2, 3, 4]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'row=[0]' 'h=[]' | FileCheck %s --check-prefix=R2
# RUN: %exit_code 2 arrc run %s --check --entry f 'row=[]' 'h=[]' 2>&1 | FileCheck %s --check-prefix=R3
# RUN: %exit_code 2 arrc run %s --check --entry f 'row=[0]' 'h=[1]' 2>&1 | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry called 'a=[0, 5, 7, 9]' | FileCheck %s --check-prefix=R5
# RUN: %exit_code 3 arrc run %s --check --entry called 'a=[0, 5]' 2>&1 | FileCheck %s --check-prefix=R6
export def f(row: int[n+1], h: int[2*k]) -> (n1: int, k1: int) = (n, k)
def inner(a: int[n+3]) -> int = n
export def called(a: int[m]) -> int = inner(a)

# R1: n1: i64 2
# R1: k1: i64 2
# R2: n1: i64 0
# R2: k1: i64 0
# R3: n+1
# R4: 2*k
# R5: out: i64 1
# R6: a size is too small for n+3: m - 3 is -1
