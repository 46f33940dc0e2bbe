# Products and distances of few rows, columns or steps, and long folds of few
# outputs: the ends of all classes, and sizes between them.
# RUN: arrc run %s --check --entry products n=300 m=16 k=16 | FileCheck %s
# RUN: arrc run %s --check --entry products n=257 m=4 k=4 | FileCheck %s
# RUN: arrc run %s --check --entry products n=301 m=37 k=15 | FileCheck %s
# RUN: arrc run %s --check --entry products n=257 m=17 k=29 | FileCheck %s
# RUN: arrc run %s --check --entry products n=300 m=0 k=3 | FileCheck %s
# RUN: arrc run %s --check --entry products n=15 m=19 k=301 | FileCheck %s
# RUN: arrc run %s --check --entry products n=19 m=7 k=41 | FileCheck %s
# RUN: arrc run %s --check --entry products n=0 m=7 k=4 | FileCheck %s
# RUN: arrc run %s --check --entry grams n=16387 m=2 k=3 | FileCheck %s
# RUN: arrc run %s --check --entry grams n=16384 m=1 k=17 | FileCheck %s
# RUN: arrc run %s --check --entry nearest n=16387 m=3 k=35 | FileCheck %s
# RUN: arrc run %s --check --entry nearest n=16390 m=17 k=1 | FileCheck %s
# RUN: arrc run %s --check --entry known n=300 | FileCheck %s
# RUN: arrc run %s --check --entry known_points n=16390 | FileCheck %s
# RUN: arrc run %s --check --entry batches t=70 n=4 m=4 k=4 | FileCheck %s
# RUN: arrc run %s --check --entry batches t=19 n=13 m=3 k=16 | FileCheck %s
# RUN: arrc run %s --check --entry squares n=67 | FileCheck %s
export def products(n: int, m: int, k: int) -> (a: f32[n, k], b: f64[n, k], c: int[n, k], d: f16[n, k], ok: bool) {
  let x = for i in n, l in m { f32((7 * i + 3 * l) % 19) }
  let y = for l in m, j in k { f32((5 * l + 11 * j) % 13) }
  let a = for i in n, j in k { sum for l in m { x[i, l] * y[l, j] } }
  let b = for i in n, j in k { sum for l in m { f64(x[i, l]) * f64(y[l, j]) } }
  let c = for i in n, j in k { sum for l in m { i32(x[i, l]) * i32(y[l, j]) } }
  let d = for i in n, j in k { max for l in m { f16(x[i, l]) + f16(y[l, j]) } }
  let ok = all for i in n, j in k { a[i, j] == f32(b[i, j]) and c[i, j] == int(b[i, j]) }
  (a, b, c, d, ok)
}
export def grams(n: int, m: int, k: int) -> (a: f32[m, k], b: f32[m, m], c: f64[m, k], ok: bool) {
  let x = for l in n, i in m { f32((7 * i + 3 * l) % 5) }
  let y = for l in n, j in k { f32((5 * l + 11 * j) % 7) }
  let a = for i in m, j in k { sum for l in n { x[l, i] * y[l, j] } }
  let b = for i in m, j in m { sum for l in n { x[l, i] * x[l, j] } }
  let c = for i in m, j in k { sum for l in n { f64(x[l, i]) * f64(y[l, j]) } }
  (a, b, c, all for i in m, j in k { f64(a[i, j]) == c[i, j] })
}
export def nearest(n: int, m: int, k: int) -> (a: f32[n], b: int[n], c: f64[n], ok: bool) {
  let x = for i in n, l in m { f32((7 * i + 3 * l) % 19) }
  let y = for j in k, l in m { f32((5 * l + 11 * j) % 13) }
  let a = for i in n { min for j in k { sum for l in m { (x[i, l] - y[j, l]) * (x[i, l] - y[j, l]) } } }
  let b = for i in n { argmin for j in k { sum for l in m { (x[i, l] - y[j, l]) * (x[i, l] - y[j, l]) } } }
  let c = for i in n { max for j in k { sum for l in m { abs(f64(x[i, l]) - f64(y[j, l])) } } }
  (a, b, c, all for i in n { b[i] < k })
}
export def batches(t: int, n: int, m: int, k: int) -> (a: f32[t, n, k], b: f64[t, n, k], c: f32[t, 4, 4], ok: bool) {
  let x = for p in t, i in n, l in m { f32((5 * p + 7 * i + 3 * l) % 19) }
  let y = for p in t, l in m, j in k { f32((p + 5 * l + 11 * j) % 13) }
  let u = for p in t, i in 4, l in 5 { f32((5 * p + 7 * i + 3 * l) % 19) }
  let v = for p in t, l in 5, j in 4 { f32((p + 5 * l + 11 * j) % 13) }
  let a = for p in t, i in n, j in k { sum for l in m { x[p, i, l] * y[p, l, j] } }
  let b = for p in t, i in n, j in k { sum for l in m { f64(x[p, i, l]) * f64(y[p, l, j]) } }
  let c = for p in t, i in 4, j in 4 { sum for l in 5 { u[p, i, l] * v[p, l, j] } }
  (a, b, c, all for p in t, i in n, j in k { f64(a[p, i, j]) == b[p, i, j] })
}
export def squares(n: int) -> (a: f32[n, n], b: f32[n, n], ok: bool) {
  let x = for i in n, j in n { f32((7 * i + 3 * j) % 19) }
  let a = for i in n, j in n { sum for l in n { x[i, l] * x[l, j] } }
  let b = for i in n, j in n { sum for l in n { x[i, l] * x[j, l] } }
  (a, b, all for i in n, j in n { b[i, j] == b[j, i] })
}
export def known(n: int) -> (a: f32[n, 16], b: f32[n, 4], c: f32[12, n], d: f32[n, 5], e: f32[8, 8], ok: bool) {
  let x = for i in n, l in 16 { f32((7 * i + 3 * l) % 19) }
  let w = for i in n, l in 20 { f32((5 * i + 3 * l) % 17) }
  let y = for l in 20, j in 16 { f32((5 * l + 11 * j) % 13) }
  let a = for i in n, j in 16 { sum for l in 16 { x[i, l] * y[l, j] } }
  let b = for i in n, j in 4 { sum for l in 4 { x[i, l] * y[l, j] } }
  let c = for i in 12, j in n { sum for l in 20 { y[l, i] * w[j, l] } }
  let d = for i in n, j in 5 { sum for l in 20 { w[i, l] * y[l, j] } }
  let e = for i in 8, j in 8 { sum for l in n { x[l, i] * x[l, j] } }
  (a, b, c, d, e, all for i in n, j in 4 { b[i, j] >= 0 })
}
export def known_points(n: int) -> (a: f32[n], b: f32[3, 4], c: f32[n], ok: bool) {
  let x = for i in n, l in 5 { f32((7 * i + 3 * l) % 19) }
  let y = for j in 3, l in 5 { f32((5 * l + 11 * j) % 13) }
  let z = for i in n, l in 4 { f32((3 * i + 7 * l) % 11) }
  let a = for i in n { min for j in 3 { sum for l in 5 { (x[i, l] - y[j, l]) * (x[i, l] - y[j, l]) } } }
  let b = for i in 3, j in 4 { sum for l in n { x[l, i] * z[l, j] } }
  let c = for i in n { max for j in 3 { sum for l in 4 { z[i, l] * z[j, l] } } }
  (a, b, c, all for i in n { a[i] >= 0 })
}
# CHECK: ok: bool true
