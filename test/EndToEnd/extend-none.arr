# A dimension without a mode is checked.
# RUN: arrc run %s --check 'a=[1, 2]' k=1 | FileCheck %s --check-prefix=R1
# RUN: %exit_code 3 arrc run %s --check 'a=[1, 2]' k=2 2>&1 | FileCheck %s --check-prefix=R2
export def f(a: int[n], k: int) -> int {
  let u = extend(a, none)
  u[k]
}

# R1: out: i64 2
# R2: extend-none.arr:
