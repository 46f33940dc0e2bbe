# Rows whose length is a number: more than a few elements are read by several
# lanes, as where it is a symbol; few are scalars; tables and products stay apart.
# RUN: arrc run %s --check --entry rows n=1003 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=0 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=1 | FileCheck %s
# RUN: arrc run %s --check --entry others n=1003 | FileCheck %s
# RUN: arrc run %s --check --entry others n=0 | FileCheck %s
# RUN: arrc run %s --check --entry others n=1 | FileCheck %s
def softmax(a: f32[n, m]) -> f32[n, m] = for i in n {
  let hi = max(a[i])
  let e = for j in m { exp(a[i, j] - hi) }
  let s = sum(e)
  for j in m { e[j] / s }
}
def spread(a: f64[n, m]) -> f64[n] = for i in n {
  let mean = sum(a[i]) / m
  let d = a[i] - mean
  sqrt(sum(d * d))
}
def nearest(a: f32[n, m], c: f32[k, m]) -> (d: f32[n], at: int[n]) = for i in n {
  min for j in k { (sum for l in m { (a[i, l] - c[j, l]) * (a[i, l] - c[j, l]) }, j) }
}
export def rows(n: int)
    -> (a: f32[n, 9], b: f32[n, 33], c: f64[n], d: i32[n, 17], e: u8[n], f: f32[n, 64], ok: bool) {
  let x = for i in n, j in 9 { f32((7 * i + 3 * j) % 19) / 8 }
  let y = for i in n, j in 33 { f32((5 * i + j) % 23) / 8 }
  let z = for i in n, j in 24 { f64((3 * i + 2 * j) % 29) }
  let v = for i in n, j in 17 { i32((i + 11 * j) % 31) }
  let w = for i in n, j in 40 { u8((i * j) % 251) }
  let u = for i in n, j in 64 { f32((i + 3 * j) % 37) / 16 }
  (softmax(x), softmax(y), spread(z), scan((+), v, axis = 1), max(w, axis = 1), softmax(u), true)
}
export def others(n: int)
    -> (s: f32[n], p: f32[n], q: f32[n, 12], r: f64[n], t: f32[n], d: f32[n], c: int[n], ok: bool) {
  let x = for i in n, j in 16 { f32((7 * i + 3 * j) % 19) / 8 }
  let y = for j in 16 { f32(j) / 4 }
  let w = for i in 16, j in 12 { f32((i * j) % 7) }
  let z = for i in n, j in 3, k in 5 { f64((3 * i + 2 * j + k) % 29) }
  let s = for i in n { sum for j in 16 { x[i, j] * y[j] } }
  # A table is scalars.
  let p = for i in n { sum for j in 16 { x[i, j] * [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0,
                                                   10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0][j] } }
  let q = for i in n, k in 12 { sum for j in 16 { x[i, j] * w[j, k] } }
  let r = for i in n { sum for j in 3, k in 5 { z[i, j, k] } }
  # An element by its number.
  let t = for i in n { sum(x[i]) / (1 + x[i, 5]) }
  let (d, c) = nearest(x, transpose(w))
  (s, p, q, r, t, d, c, true)
}
# CHECK: ok: bool true
