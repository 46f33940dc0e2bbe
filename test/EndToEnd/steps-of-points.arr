# Time loops and recurrences whose points do not read each other: states that trade
# places, numbers that go along, branches, rows one after the other in both
# directions and by columns, values of two steps before; and some that do read
# each other.
# RUN: arrc run %s --check --entry states n=0 k=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry states n=300 k=0 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry states n=1025 k=7 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=3 m=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=40 m=33 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=5 m=700 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry neighbours n=129 k=5 2>&1 | FileCheck %s
# CHECK: check: ok
def start(n: int) -> f32[n] = for i in n { f32((i * 7919) % 1001) / 1001.0 }

export def states(n: int, k: int) -> (a: f32[n], b: f32[n], c: int[n], d: f32[n], t: f32) {
  var (a, b) = (start(n), 2.0 * start(n))
  var c: int[n] = zeros(n)
  var d = start(n)
  var t = 0.0
  loop j in k {
    let old = a
    (a, b) = (b - 0.25 * a * t, 0.5 * old)
    d = for i in n { if d[i] > 0.5 { if j % 2 == 0 { d[i] * 0.5 } else { d[i] - 0.125 } } else { d[i] * 1.5 + old[i] } }
    c = for i in n { if d[i] < 1.0 { c[i] + 1 } else { c[i] } }
    t = t + 0.125
  }
  (a, b, c, d, t)
}

export def rows(n: int, m: int) -> (a: f32[n, m], b: f32[n, m], c: f32[n, m], d: f32[n, m]) where n > 2, m > 0 {
  let x = for i in n, j in m { f32((i * 31 + j * 17) % 64) / 64.0 }
  var (a, b, c, d) = (x, x, x, x)
  loop t in 1:n { a[t] = 0.5 * a[t-1] + 0.25 * x[t] }
  loop t in 1:n { b[n-1-t] = 0.5 * b[n-t] + x[n-1-t] }
  loop t in 1:m { c[:, t] = 0.5 * c[:, t-1] + 0.25 * x[:, t] }
  loop t in 2:n { d[t] = 0.5 * d[t-1] - 0.25 * d[t-2] + x[t] }
  (a, b, c, d)
}

export def neighbours(n: int, k: int) -> (a: f32[n], b: f32[k, n], c: f32) where n > 0 {
  var a = start(n)
  var b: f32[k, n] = zeros(k, n)
  var c = 0.0
  loop t in k {
    a = for i in n { 0.5 * a[max(i - 1, 0)] + 0.5 * a[i] }
    b[t] = a
    c = c + sum(a) / 4.0
  }
  (a, b, c)
}
