# Folds that read no array: few and long ones, many and short ones, with loops
# inside, folded again.
# RUN: arrc run %s --check --entry roots n=1 m=100003 | FileCheck %s
# RUN: arrc run %s --check --entry roots n=3 m=20003 | FileCheck %s
# RUN: arrc run %s --check --entry roots n=701 m=131 | FileCheck %s
# RUN: arrc run %s --check --entry roots n=5 m=1 | FileCheck %s
# RUN: arrc run %s --check --entry roots n=1 m=600011 | FileCheck %s
# RUN: arrc run %s --check --entry everything n=1 m=70001 | FileCheck %s
# RUN: arrc run %s --check --entry everything n=2 m=300007 | FileCheck %s
# RUN: arrc run %s --check --entry everything n=33 m=7 | FileCheck %s
# RUN: arrc run %s --check --entry everything n=0 m=7 | FileCheck %s
# RUN: arrc run %s --check --entry resonance k=3 n=30011 | FileCheck %s
# RUN: arrc run %s --check --entry paths n=3001 k=2 steps=3 | FileCheck %s
# RUN: arrc run %s --check --entry paths n=1 k=1 steps=0 | FileCheck %s
# RUN: arrc run %s --check --entry escape k=2 n=40 | FileCheck %s
# RUN: arrc run %s --check --entry waves n=301 k=5 | FileCheck %s
# RUN: arrc run %s --check --entry table n=40009 k=3 | FileCheck %s
# RUN: arrc run %s --check --entry table n=17 k=300 | FileCheck %s
export def roots(n: int, m: int) -> (out: f64[n], ok: bool) {
  let out = for i in n { sum for j in m { sqrt(f64(i) + f64(j) * 0.25) } }
  # Between the integrals from 0 to m - 1 and to m.
  let whole = 8.0 / 3.0 * ((f64(m) * 0.25) ** 1.5)
  (out, out[0] <= whole and out[0] > whole - 0.5 * sqrt(f64(m)) - 1.0)
}
export def everything(n: int, m: int) -> (total: int, most: int, ok: bool) {
  let total = sum for i in n, j in m { (i * 7 + j * 3) % 11 }
  let most = max for i in n + 1 { sum for j in m { (i * 7 + j * 3) % 11 } }
  (total, most, total >= 0 and total <= n * most)
}
export def resonance(k: int, n: int) -> (most: f64, at: int, ok: bool) {
  let v = for a in k { sum for i in n { 1.0 / (1.0 + (f64(i) * 0.001 - f64(a)) ** 2) } }
  (max(v), argmax(v), v[argmax(v)] == max(v))
}
export def paths(n: int, k: int, steps: int) -> (out: f64[k], ok: bool) {
  let out = for s in k {
    let strike = 90.0 + f64(s)
    mean for p in n {
      var x: f64 = 100.0
      loop t in steps { x = x * exp(0.01 * normal(7, p, t) - 0.00005) }
      max(x - strike, 0.0)
    }
  }
  (out, all for s in k { abs(out[s] + f64(s) - 10.0) < 1.0 })
}
export def escape(k: int, n: int) -> (out: int[k], ok: bool) {
  let out = for c in k {
    sum for i in n, j in n {
      let (a, b) = (-2.0 + 3.0 * f64(i) / f64(n), -1.0 + 2.0 * f64(j) / f64(n) + 0.001 * f64(c))
      var x: f64 = 0.0
      var y: f64 = 0.0
      var count = 0
      while count < 20 and x * x + y * y < 4.0 {
        (x, y) = (x * x - y * y + a, 2.0 * x * y + b)
        count = count + 1
      }
      count
    }
  }
  (out, all for c in k { out[c] > 0 and out[c] < 20 * n * n })
}
export def waves(n: int, k: int) -> (out: f64[k], ok: bool) {
  let x = for j in n { f64(j % 7) - 3.0 }
  let out = for f in k { sum for j in n { x[j] * cos(2.0 * f64(pi) * f64(f * j % n) / f64(n)) } }
  (out, abs(out[0] - sum(x)) < 1e-9 * f64(n))
}
export def table(n: int, k: int) -> (out: int[k], ok: bool) {
  let t = for i in 13 { (i * 8) % 13 }
  let out = for a in k { max for i in n { t[(i * 7 + a) % 13] } }
  (out, all for a in k { out[a] == 12 })
}
# CHECK: ok: bool true
