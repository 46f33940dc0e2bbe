# Largest and smallest values of short rows: several rows at a time, whose lanes
# are folded together. NaN, zeros of both signs, and rows left over.
# RUN: arrc run %s --check n=4099 m=5 | FileCheck %s
# RUN: arrc run %s --check n=517 m=9 | FileCheck %s
# RUN: arrc run %s --check n=258 m=16 | FileCheck %s
# RUN: arrc run %s --check n=1031 m=31 | FileCheck %s
# RUN: arrc run %s --check n=3 m=63 | FileCheck %s
# RUN: arrc run %s --check n=1 m=4 | FileCheck %s
# RUN: arrc run %s --check n=0 m=12 | FileCheck %s
export def f(n: int, m: int) -> (a: f32[n], b: f32[n], c: f64[n], d: f32[n], ok: bool) {
  let x = for i in n, j in m {
    let k = 7 * i + 3 * j
    if k % 97 == 5 { 0.0 / 0.0 } else if k % 5 == 0 { -0.0 } else if k % 11 == 0 { 0.0 } else { f32(k % 19) - 21.0 }
  }
  let y = for i in n, j in m { f64((5 * i + 3 * j) % 23) - 11.0 }
  (max(x, axis = 1), min(x, axis = 1), min(y, axis = 1), max(abs(x), axis = 1), true)
}
# CHECK: ok: bool true
