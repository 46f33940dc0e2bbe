# Reads two places outside on both sides; an array of one element; none of nothing.
# RUN: arrc run %s --check 'a=[10, 20, 30]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[5]' | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check 'a=[]' 2>&1 | FileCheck %s --check-prefix=R3
export def f(a: int[n]) -> int[n+4] {
  let u = extend(a, clamp)
  for i in n + 4 { u[i - 2] }
}

# R1: out: i64[7] [10, 10, 10, 20, 30, 30, 30]
# R2: out: i64[5] [5, 5, 5, 5, 5]
# R3: error
