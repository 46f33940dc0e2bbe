# Windows along rows of narrow elements that begin anywhere: a thread takes several
# neighbours. No row, rows without a result, with one, of odd lengths and even ones.
# RUN: arrc run %s --check n=0 m=45 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=3 m=39 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=1 m=40 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=3 m=41 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=5 m=167 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=9 m=298 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=2 m=1031 2>&1 | FileCheck %s
export def windows(n: int, m: int)
    -> (a: f32[n, m - 39], b: i32[n, m - 39], c: f32[n, m - 39], d: i64[n, m - 39], e: u8[n, m - 39],
        g: f32[n, m - 39], h: f32[m - 39, n]) {
  var u = for i in n, j in m { u8((7 * i + 3 * j) % 251) }
  var s = for i in n, j in m { i8((5 * i + 3 * j) % 127 - 60) }
  var f = for i in n, j in m { f16((3 * i + j) % 11) }
  var t = for i in n, j in m { i16((3 * i + 7 * j) % 1009 - 500) }
  var p = for i in n, j in m { (i + 2 * j) % 3 == 0 }
  (for i in n, j in m - 39 { sum for k in 40 { f32(u[i, j + k]) } },
   for i in n, j in m - 39 { sum for k in 40 { i32(s[i, j + k]) } },
   for i in n, j in m - 39 { sum for k in 40 { f32(f[i, j + k]) } },
   for i in n, j in m - 39 { sum for k in 40 { i64(t[i, j + k]) } },
   for i in n, j in m - 39 { max for k in 40 { u[i, j + k] } },
   for i in n, j in m - 39 { sum for k in 40 { (if p[i, j + k] { 1.0 } else { 0.25 }) } },
   for j in m - 39, i in n { max for k in 40 { f32(u[i, j + k]) } })
}
# CHECK: check: ok
