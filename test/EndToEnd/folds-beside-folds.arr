# Folds below and beside others whose loops do not merge, reads at computed
# places and at one index twice, loops of one iteration.
# RUN: arrc run %s --check --entry angles n=7 m=33 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry angles n=70 m=5 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry angles n=3 m=5001 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry centred n=9 p=4 m=40 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry centred n=1 p=1 m=1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry turned n=9 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry chosen n=5 m=19 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry shifted n=300 p=7 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry shifted n=1 p=7 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry diagonal n=5 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry running n=5 m=37 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry running n=40 m=1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry single 'a=[4.5]' | FileCheck %s --check-prefix=SINGLE
# RUN: arrc run %s --check --entry twice 'a=[3, 200, 7]' | FileCheck %s --check-prefix=TWICE
# RUN: arrc run %s --check --entry shared 'a=[5, 0, 5]' | FileCheck %s --check-prefix=SHARED
# RUN: arrc run %s --check --entry filled n=2 | FileCheck %s --check-prefix=FILLED
export def angles(n: int, m: int) -> (out: f64[n, n], ok: bool) {
  let a = for i in n, j in m { f64((i * 7 + j * 3) % 11 + 1) }
  let out = for i in n {
    let s = sqrt(sum for j in m { a[i, j] ** 2 })
    for k in n { (sum for j in m { a[k, j] * a[i, j] }) / s }
  }
  (out, all for i in n { abs(out[i, i] ** 2 - (sum for j in m { a[i, j] ** 2 })) < 1e-6 * f64(m * 121) })
}
export def centred(n: int, p: int, m: int) -> (dot: f64[n, p], far: f64[n, p], ok: bool) {
  let a = for i in n, j in m { f64((i * 5 + j * 3) % 7) }
  let b = for i in p, j in m { f64((i * 3 + j * 2) % 5) }
  let dot = for i in n {
    let s = (sum for j in m { a[i, j] }) / f64(m)
    for k in p { sum for j in m { (a[i, j] - s) * b[k, j] } }
  }
  let far = for i in n {
    let s = max for j in m { a[i, j] }
    for k in p { s + sum for j in m { abs(a[i, j] - b[k, j]) } }
  }
  (dot, far, all for i in n, k in p { far[i, k] >= 0.0 })
}
export def turned(n: int) -> (out: int[n, n, n], ok: bool) {
  let a = for i in n, j in n { (i * 17 + j * 5) % 23 }
  let out = for i in n {
    let s = for j in n { sum for k in n { a[j, i] + k } }
    for j in n, k in n { s[n - 1 - j] }
  }
  (out, all for i in n, j in n { out[i, j, 0] == n * a[n - 1 - j, i] + n * (n - 1) // 2 })
}
export def chosen(n: int, m: int) -> (out: int[n, n], ok: bool) {
  let a = for i in n, j in m { (i * 13 + j * 7) % 17 }
  let out = for i in n {
    let s = all for j in m { a[i, j] > 0 }
    for k in n { select(s, a[k, 0], sum for j in m { a[i, j] + a[k, j] }) }
  }
  (out, all for i in n { (out[i, i] == a[i, 0]) or out[i, i] == 2 * sum for j in m { a[i, j] } })
}
export def shifted(n: int, p: int) -> (out: int[n], square: int[n], ok: bool) {
  let a = for i in n { (i * 31) % 101 }
  let out = for i in n { sum for j in n { a[j] * a[(i + p) % n] } }
  let square = for i in n { max for j in n { a[j] - a[(i * i) % n] } }
  (out, square, sum(out) == sum(a) * sum(a))
}
export def diagonal(n: int) -> (out: int[n, n], ok: bool) {
  let a = for i in n, j in n, k in n, l in n { ((i * 3 + j * 5) * 7 + k) * 11 + l }
  let out = for i in n, j in n { a[j, i, i, i] }
  (out, all for i in n, j in n { out[i, j] == ((j * 3 + i * 5) * 7 + i) * 11 + i })
}
# A row of one's own that is read beyond its edges.
export def running(n: int, m: int) -> (sums: int[n, m], rings: int[n, m], ok: bool) {
  let t = for i in n, j in m { (i * 5 + j * 3) % 17 }
  let sums = for i in n {
    var d = t[i]
    loop j in m { if j > 0 { d[j] += d[j-1] } }
    d
  }
  let rings = for i in n {
    var d = t[i]
    loop k in 3 {
      let e = extend(d, wrap)
      d = for j in m { (e[j-1] + e[j+1]) % 1001 }
    }
    d
  }
  (sums, rings, all for i in n { sums[i, m - 1] == sum for j in m { t[i, j] } })
}
export def single(a: f32[1]) -> (most: int, least: int) = (argmax(a), argmin for i in 1 { a[1 - 1 - i] * 2.0 })
export def twice(a: u8[n]) -> f64[n] {
  let s = max(a)
  let t = sum for i in n { f64(s) }
  for i in n { t + f64(s) }
}
export def shared(a: i32[3]) -> i32[3] {
  let b = for i in 3 { a }
  let t: i32 = max for i in 3 { b[i, i] }
  for i in 3 {
    let s = for j in 3 { sum for k in 3 { b[k, j] } }
    sum for k in 3 { if s[k] == 0 { t } else { i32(1) } }
  }
}
export def filled(n: int) -> c64[n, 2] = for i in n { for j in 2 { 0.0 } }
# OK: ok: bool true
# SINGLE: most: i64 0
# SINGLE: least: i64 0
# TWICE: out: f64[3] [800, 800, 800]
# SHARED: out: i32[3] [7, 7, 7]
# FILLED: out: c64[2, 2] {{.*}}0
