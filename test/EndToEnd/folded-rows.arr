# A fold of everything beside folds of its rows, few and long: on devices the
# rows are folded first, by several blocks each, then what they came to.
# RUN: arrc run %s --check --entry sums n=3 m=65537 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=3 m=262151 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=1 m=70000 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=300 m=129 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=0 m=5 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=5 m=0 | FileCheck %s
# RUN: arrc run %s --check --entry places n=2 m=2 k=65541 | FileCheck %s
# RUN: arrc run %s --check --entry places n=3 m=5 k=7 | FileCheck %s
# RUN: arrc run %s --check --entry spread n=2 m=262149 | FileCheck %s
# RUN: arrc run %s --check --entry spread n=37 m=11 | FileCheck %s
# RUN: %emulate arrc run --target=cuda --check %s --entry spread n=2 m=262149 | FileCheck %s
# RUN: arrc run %s --check --entry columns n=4099 m=33 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=2 m=3 k=65543 | FileCheck %s
export def sums(n: int, m: int) -> (total: int, rows: int[n], squares: int, ok: bool) {
  let x = for i in n, j in m { (i * 7919 + j * 31) % 1009 }
  let rows = sum(x, axis = 1)
  (sum(x), rows, sum for i in n { rows[i] * rows[i] }, sum(rows) == sum(x))
}
export def places(n: int, m: int, k: int) -> (i: int, j: int, l: int, rows: int[n, m], ok: bool) {
  let x = for i in n, j in m, l in k { f32((i * 101 + j * 57 + l * 31) % 10007) }
  let (i, j, l) = argmax for i, j, l { x[i, j, l] }
  let rows = argmax(x, axis = 2)
  (i, j, l, rows, rows[i, j] == l)
}
export def spread(n: int, m: int) -> (most: f64, rows: f64[n], ok: bool) {
  let x = for i in n, j in m { f64((i * 13 + j * 29) % 97) }
  let mid = mean(x, axis = 1)
  let rows = for i in n { sum for j in m { (x[i, j] - mid[i]) * (x[i, j] - mid[i]) } }
  let whole = for i in n { (sum for j in m { x[i, j] * x[i, j] }) - f64(m) * mid[i] * mid[i] }
  (max(rows), rows, all for i in n { abs(rows[i] - whole[i]) < 1e-9 * whole[i] })
}
export def columns(n: int, m: int) -> (total: int, columns: int[m], ok: bool) {
  let x = for i in n, j in m { (i * 7919 + j * 31) % 1009 }
  let s = sum(x, axis = 0)
  (sum for j in m { s[j] * s[j] % 1001 }, s, sum(s) == sum(x))
}
# Rows that no dimension can be made of.
export def turned(n: int, m: int, k: int) -> (out: int[m, n], ok: bool) {
  let x = for i in n, j in m, l in k { (i * 101 + j * 57 + l * 31) % 1009 }
  let out = for j in m, i in n { sum for l in k { x[i, j, l] } }
  (out, sum(out) == sum(x))
}
# CHECK: ok: bool true
