# What the compiler cannot do yet is refused with a plain message.
# RUN: %exit_code 1 arrc run %s --check n=3 2>&1 | FileCheck %s
export def f(n: int) -> int {
  let r: int[n, ?] = for i in n { for j in i { j } }
  var t = (r, 1)
  t.1 = 3
  sum(t.0) + t.1
}

# CHECK: error
# CHECK: refused.arr:
# CHECK: var t
