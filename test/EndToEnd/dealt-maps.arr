# Maps over dimensions that stay apart, any of which may be short: which threads
# walk which is a number of the launch. No element, one, each dimension the long
# one in turn, rows that are multiples of 16 bytes and that begin anywhere.
# RUN: arrc run %s --check a=0 b=3 c=5 d=7 | FileCheck %s
# RUN: arrc run %s --check a=3 b=0 c=1 d=4 | FileCheck %s
# RUN: arrc run %s --check a=1 b=1 c=1 d=1 | FileCheck %s
# RUN: arrc run %s --check a=3 b=5 c=7 d=64 | FileCheck %s
# RUN: arrc run %s --check a=2 b=3 c=5 d=1031 | FileCheck %s
# RUN: arrc run %s --check a=2 b=3 c=1033 d=5 | FileCheck %s
# RUN: arrc run %s --check a=3 b=1027 c=2 d=3 | FileCheck %s
# RUN: arrc run %s --check a=1025 b=3 c=2 d=3 | FileCheck %s
# RUN: arrc run %s --check a=65 b=3 c=2 d=32 | FileCheck %s
# RUN: arrc run %s --check a=5 b=37 c=41 d=4 | FileCheck %s
export def dealt(a: int, b: int, c: int, d: int)
    -> (x: f32[c, b, a, d], y: u8[d, a, c, b], z: f64[a, b, c, d], w: f16[b, d, a, c], ok: bool) {
  var p = for i in a, j in b, k in c, l in d { f32((7 * i + 3 * j + 5 * k + l) % 19) }
  var q = for i in a, j in b, k in c, l in d { u8((i + 3 * j + k + 5 * l) % 251) }
  var h = for i in a, j in b, k in c, l in d { f16((i + 3 * j + k + 5 * l) % 9) }
  var r = for l in d, j in b { f32((l + 2 * j) % 7) }
  var s = for i in a, k in c { f64((i + 2 * k) % 5) }
  # What is made above is read as it lies in memory.
  loop t in 1 {
    p = for i, j, k, l { p[i, j, k, l] + 1.0 }
    q = for i, j, k, l { bitxor(q[i, j, k, l], 1) }
    h = for i, j, k, l { h[i, j, k, l] + 1.0 }
    r = for l, j { r[l, j] + 1.0 }
    s = for i, k { s[i, k] - 1.0 }
  }
  (for k, j, i, l { p[i, j, k, l] * 2.0 + r[l, j] },
   for l, i, k, j { q[i, j, k, l] },
   for i, j, k, l { f64(p[i, j, k, l]) + s[i, k] * f64(r[l, j]) },
   for j, l, i, k { h[i, j, k, l] }, true)
}
# CHECK: ok: bool true
