# Folds along and across rows of a few elements, which are read as a whole where
# their number is one of a few: more rows than a block has, fewer, and a rest.
# RUN: arrc run %s --check --entry sums n=5003 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=2061 m=8 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=1500 m=16 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=1025 m=32 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=2050 m=64 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=9 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=0 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry small n=5003 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry points n=5003 | FileCheck %s
# RUN: arrc run %s --check --entry points n=700 | FileCheck %s
export def sums(n: int, m: int)
    -> (a: f32[n], b: f32[m], c: f32[n], d: f64[m], e: f32[m], ok: bool) {
  var x = for i in n, j in m { f32((7 * i + 3 * j) % 19) }
  var y = for i in n, j in m { f64((5 * i + j) % 23) }
  loop t in 1 {
    x = for i, j { x[i, j] + 1.0 }
    y = for i, j { y[i, j] - 1.0 }
  }
  let w = x[0 : n : 2, 0 : m]
  let parts = sum(w, axis = 1)
  (sum(x, axis = 1), sum(x, axis = 0), sum(x * x, axis = 1), sum(y, axis = 0),
   max(x, axis = 0), all(parts >= 0.0))
}
export def small(n: int, m: int) -> (a: i32[n], b: i32[m], c: f16[n], d: i8[m], ok: bool) {
  var x = for i in n, j in m { i32(i * j % 100) }
  var y = for i in n, j in m { i8(i % 5 + j) }
  var z = for i in n, j in m { f16(i % 3 + j) }
  loop t in 1 {
    x = for i, j { x[i, j] + 1 }
    y = for i, j { bitxor(y[i, j], 1) }
    z = for i, j { z[i, j] + 1.0 }
  }
  (sum(x, axis = 1), sum(x, axis = 0), max(z, axis = 1), max(y, axis = 0), true)
}
export def points(n: int) -> (a: f32[3], b: f32[n], c: f32[3], ok: bool) {
  var x = for i in n, j in 3 { f32((7 * i + 3 * j) % 19) }
  loop t in 1 {
    x = for i, j { x[i, j] + 1.0 }
  }
  (sum(x, axis = 0), sum(x, axis = 1), max(x, axis = 0), true)
}
# CHECK: ok: bool true
