# Collatz steps: a loop whose end is only known while it runs.
# RUN: arrc run %s --check n0=27 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check n0=1 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 2 arrc run %s --check n0=0 2>&1 | FileCheck %s --check-prefix=R3
export def f(n0: int) -> (steps: int, top: int) where n0 >= 1 {
  var n = n0
  var steps = 0
  var top = n0
  while n != 1 {
    n = if n % 2 == 0 { n // 2 } else { 3 * n + 1 }
    top = max(top, n)
    steps += 1
  }
  (steps, top)
}

# R1: steps: i64 111
# R1: top: i64 9232
# R2: steps: i64 0
# R2: top: i64 1
# R3: error
