# One fill, as equal ones are one value, written in a loop and behind it.
# RUN: arrc run %s --check "p0=[[[1, 2], [3, 4], [5, 6]]]" k=2 | FileCheck %s
# CHECK: pb: f64[1, 3, 2] {{\[\[\[}}0, 0], [0, 0], [5, 6]]]
export def f(p0: f64[B, n, m], k: int) -> (pb: f64[B, n, m]) where n >= 3 =
  for b in B {
    var p = p0[b]
    loop q in k {
      p[1] = p[0]
      p[0] = 0
    }
    p[1] = 0
    p
  }
