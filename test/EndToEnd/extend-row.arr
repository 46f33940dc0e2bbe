# A row of an extended array keeps its modes; last dimensions may be left out.
# RUN: arrc run %s --check 'a=[[1, 2], [3, 4], [5, 6]]' | FileCheck %s
export def f(a: int[n, m]) -> int[n, m] {
  let u = extend(a, clamp, none)
  for i in n { u[i - 1] + a[i] }
}

# CHECK: out: i64[3, 2] {{\[\[}}2, 4], [4, 6], [8, 10]]
