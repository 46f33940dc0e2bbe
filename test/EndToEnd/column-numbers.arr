# Long and few columns, walked by a launch for each loop: what follows from their folds is computed
# once a column, and read by the later loops.
# RUN: arrc run %s --check --entry normalised n=5003 m=7 | FileCheck %s
# RUN: arrc run %s --check --entry normalised n=2500 m=33 | FileCheck %s
# RUN: arrc run %s --check --entry normalised n=5 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry planes l=2 n=2600 m=9 | FileCheck %s
# RUN: arrc run %s --check --entry whole n=2411 m=6 | FileCheck %s
export def normalised(n: int, m: int) -> (y: f32[n, m], ok: bool) {
  let a = for i in n, j in m { f32((7 * i + 3 * j) % 19) }
  let mean = mean(a, axis = 0)
  let v = for j { mean for i { (a[i, j] - mean[j])**2 } }
  (for i, j { (a[i, j] - mean[j]) * rsqrt(v[j] + 0.125) }, true)
}
# Two results, one of which has an element a column.
export def planes(l: int, n: int, m: int) -> (y: f64[l, n, m], r: f64[l, m], ok: bool) {
  let a = for k in l, i in n, j in m { f64((5 * k + 7 * i + 3 * j) % 23) / 23.0 }
  let most = max(a, axis = 1)
  let e = for k, i, j { exp(a[k, i, j] - most[k, j]) }
  let s = sum(e, axis = 1)
  (for k, i, j { e[k, i, j] / s[k, j] }, for k, j { sqrt(s[k, j]) }, true)
}
# Divisions of integers stay where they are: there may be no iteration.
export def whole(n: int, m: int) -> (y: int[n, m], ok: bool) {
  let a = for i in n, j in m { (7 * i + 3 * j) % 19 }
  let most = max(a, axis = 0)
  let v = for j { sum for i { a[i, j] * most[j] // 3 } }
  (for i, j { a[i, j] + v[j] * 2 + most[j] // 2 }, true)
}
# CHECK: ok: bool true
