# Preconditions at entry are a matter of the input.
# RUN: arrc run %s --check 'a=[5, 6, 7]' k=2 | FileCheck %s --check-prefix=R1
# RUN: %exit_code 2 arrc run %s --check 'a=[5]' k=1 2>&1 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 2 arrc run %s --check 'a=[5, 6]' k=2 2>&1 | FileCheck %s --check-prefix=R3
export def f(a: int[n], k: int) -> int where n >= 2, k > 0, k < n = a[k]

# R1: out: i64 7
# R2: error
# R3: error
