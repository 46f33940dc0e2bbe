# Rows that change by other rows, from the diagonal on: in place, all rows at once.
# RUN: arrc run %s --check --entry forward n=0 m=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry forward n=1 m=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry forward n=2 m=0 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry forward n=9 m=5 2>&1 | FileCheck %s --check-prefix=NINE
# RUN: arrc run %s --check --entry forward n=70 m=33 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry backward n=0 m=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry backward n=1 m=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry backward n=2 m=7 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry backward n=71 m=30 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry turned n=1 m=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry turned n=2 m=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry turned n=33 m=29 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry next n=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry next n=40 2>&1 | FileCheck %s --check-prefix=OK
# OK: check: ok
# NINE: check: ok
# NINE: s: i64 11040448

# Part of a row, less a multiple of the same part of the row of the step.
export def forward(n: int, m: int) -> (s: int, w: int[n, n]) {
  var w: int[n, n] = for i in n, j in n { (i * 5 + j * 3) % 4 }
  var x: int[n, m] = for i in n, j in m { i + j }
  loop k in n {
    loop i in k+1:n {
      let f = w[i, k] - w[k, k]
      w[i, k:] -= f * w[k, k:]
      x[i] -= f * x[k]
    }
  }
  (bitand(sum(w) + sum(x), 0xffffff), w)
}

# Rows above, by the row of the step.
export def backward(n: int, m: int) -> (x: c128[n, m]) {
  let w = for i in n, j in n { complex(f64((i * 3 + j) % 5), f64(j % 3)) }
  var x: c128[n, m] = for i in n, j in m { complex(f64(i + j), 1.0) }
  loop k in n-1:-1:-1 {
    x[k] = x[k] * 0.125
    loop i in k { x[i] -= w[i, k] * x[k] }
  }
  x
}

# The same of columns, right of the step's and left of it.
export def turned(n: int, m: int) -> (x: int[m, n]) {
  let w = for i in n, j in n { (i * 3 + j) % 3 - 1 }
  var x: int[m, n] = for i in m, j in n { i * j % 5 }
  loop k in n { loop i in k+1:n { x[k % m:, i] += w[i, k] * x[k % m:, k] } }
  loop k in n-1:-1:-1 { loop i in k { x[:, i] -= w[i, k] * x[:, k] } }
  x
}

# An element further on, which the iteration before has replaced: a copy.
export def next(n: int) -> (w: int[n, n]) where n >= 1 {
  var w: int[n, n] = for i in n, j in n { (i * 5 + j * 3) % 4 }
  loop k in n - 1 { w[k, k+1:] += w[k, k:end-1] }
  w
}
