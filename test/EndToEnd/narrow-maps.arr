# Maps and transposes of rows that are short, or that start anywhere: no row, one
# element, each class of lengths and its ends, long rows of odd lengths.
# RUN: arrc run %s --check --entry maps n=5003 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry maps n=0 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry maps n=1 m=1 | FileCheck %s
# RUN: arrc run %s --check --entry maps n=700 m=8 | FileCheck %s
# RUN: arrc run %s --check --entry maps n=701 m=17 | FileCheck %s
# RUN: arrc run %s --check --entry maps n=67 m=61 | FileCheck %s
# RUN: arrc run %s --check --entry maps n=3 m=8209 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=5003 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=7 m=2061 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=0 m=5 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=67 m=131 | FileCheck %s
# RUN: arrc run %s --check --entry boxes n=53 m=19 | FileCheck %s
# RUN: arrc run %s --check --entry boxes n=0 m=19 | FileCheck %s
export def maps(n: int, m: int)
    -> (a: f32[n, m], b: f64[n, m], c: f16[n, m], d: u8[n, m], e: i32[n, m], ok: bool) {
  let x = for i in n, j in m { f32((7 * i + 3 * j) % 19) }
  let r = for i in n { f32(i % 11) }
  let s = for j in m { f32(5 * j % 13) }
  let h = for i in n, j in m { f16((i + j) % 9) }
  let v = for i in n, j in m { u8((3 * i + j) % 251) }
  # What is updated in place as well.
  var a = x
  var e = for i in n, j in m { i32(i - j) }
  loop t in 2 {
    a = for i, j { a[i, j] * s[j] + r[i] }
    e = for i, j { e[i, j] + i32(j) }
  }
  let b = for i, j { f64(x[i, j]) + f64(r[i]) * f64(a[i, j]) }
  let c = for i, j { h[i, j] + f16(s[j]) }
  let d = for i, j { bitxor(v[i, j], u8(j % 7)) }
  (a, b, c, d, e, true)
}
export def turned(n: int, m: int)
    -> (a: f32[m, n], b: f64[m, n], c: f16[m, n], d: u8[m, n], e: f32[m, n], ok: bool) {
  var x = for i in n, j in m { f32((7 * i + 3 * j) % 19) }
  var y = for i in n, j in m { f64((5 * i + j) % 23) }
  var h = for i in n, j in m { f16((i + j) % 9) }
  var v = for i in n, j in m { u8((3 * i + j) % 251) }
  var w = for j in m, i in n { f32((i + 2 * j) % 17) }
  loop t in 1 {
    x = for i, j { x[i, j] + 1.0 }
    y = for i, j { y[i, j] - 1.0 }
    h = for i, j { h[i, j] + 1.0 }
    v = for i, j { bitxor(v[i, j], 1) }
    w = for i, j { w[i, j] + 1.0 }
  }
  (transpose(x), transpose(y), transpose(h), transpose(v),
   for j, i { x[i, j] * w[j, i] + w[j, 0] }, true)
}
export def boxes(n: int, m: int)
    -> (a: f32[n, m, 3], b: f32[n, m, 3], c: f32[3, n, m], d: f32[n, 5, m], ok: bool) {
  var x = for i in n, j in m, q in 3 { f32((7 * i + 3 * j + q) % 19) }
  let s = for q in 3 { f32(q + 1) }
  let y = for i in n, k in 5, j in m { f32((i + j + k) % 7) }
  loop t in 1 {
    x = for i, j, q { x[i, j, q] + 1.0 }
  }
  let e = extend(x, clamp, clamp, none)
  (for i, j, q { x[i, j, q] * s[q] },
   for i in n, j in m, q in 3 { e[i - 1, j, q] + e[i, j + 1, q] * s[q] },
   for q in 3, i in n, j in m { x[i, j, q] },
   for i, k, j { y[i, k, j] + x[i, j, 0] }, true)
}
# CHECK: ok: bool true
