# Assertions with and without text, in functions and in kernels.
# RUN: arrc run %s --check --entry f 'a=[1, 2]' | FileCheck %s --check-prefix=R1
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1]' 2>&1 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1, -2]' 2>&1 | FileCheck %s --check-prefix=R3
# RUN: %exit_code 3 arrc run %s --check --entry g 'a=[1, 7, 3]' 2>&1 | FileCheck %s --check-prefix=R4
export def f(a: int[n]) -> int {
  assert n > 1, "two at least"
  assert all for i { a[i] >= 0 }
  sum(a)
}
export def g(a: int[n]) -> int[n] = for i {
  assert a[i] != 7, "no sevens"
  a[i]
}

# R1: out: i64 3
# R2: assert.arr:
# R2: two at least
# R3: assert.arr:
# R4: assert.arr:
# R4: no sevens
