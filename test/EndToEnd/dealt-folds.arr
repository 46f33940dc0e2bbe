# Folds over several dimensions, any of which may be short, kept or folded: which
# threads walk which, and whether blocks share a fold, are numbers of the launch.
# No element, one, each dimension the long one in turn, rows that are multiples of
# 16 bytes and that begin anywhere, results that are many and one.
# RUN: arrc run %s --check a=0 b=3 c=5 | FileCheck %s
# RUN: arrc run %s --check a=3 b=0 c=4 | FileCheck %s
# RUN: arrc run %s --check a=4 b=3 c=0 | FileCheck %s
# RUN: arrc run %s --check a=1 b=1 c=1 | FileCheck %s
# RUN: arrc run %s --check a=3 b=5 c=64 | FileCheck %s
# RUN: arrc run %s --check a=2 b=3 c=4099 | FileCheck %s
# RUN: arrc run %s --check a=2 b=2053 c=5 | FileCheck %s
# RUN: arrc run %s --check a=4097 b=3 c=2 | FileCheck %s
# RUN: arrc run %s --check a=37 b=1 c=128 | FileCheck %s
# RUN: arrc run %s --check a=1 b=41 c=257 | FileCheck %s
# RUN: arrc run %s --check a=19 b=23 c=29 | FileCheck %s
export def dealt(a: int, b: int, c: int)
    -> (columns: f32[c], middle: f32[b], ends: f64[a, c], outer: f32[a],
        most: i32[b, c], pair: f32[c], mean: f32[b], bytes: i64[b], ok: bool) {
  var p = for i in a, j in b, k in c { f32((7 * i + 3 * j + 5 * k) % 19) / 8.0 }
  var q = for k in c, i in a, j in b { f32((3 * i + 2 * j + k) % 17) / 4.0 }
  var r = for i in a, k in c { f32((i + 3 * k) % 7) }
  var s = for i in a, j in b, k in c { (11 * i + 5 * j + 7 * k) % 1009 }
  var t = for i in a, j in b, k in c { u8((i + 3 * j + 5 * k) % 251) }
  # What is made above is read as it lies in memory.
  loop step in 1 {
    p = for i, j, k { p[i, j, k] + 1.0 }
    q = for k, i, j { q[k, i, j] - 1.0 }
    r = for i, k { r[i, k] + 1.0 }
    s = for i, j, k { s[i, j, k] + 1 }
    t = for i, j, k { bitxor(t[i, j, k], 1) }
  }
  (for k { sum for i, j { abs(p[i, j, k] - r[i, k]) } },
   for j { sum for i, k { p[i, j, k] * r[i, k] } },
   for i, k { sum for j { f64(p[i, j, k]) + f64(q[k, i, j]) } },
   for i { max for j, k { p[i, j, k] + q[k, i, j] } },
   for j, k { i32(max for i { s[i, j, k] - i }) },
   for k { (sum for i, j { p[i, j, k] * r[i, k] }) + (max for i, j { p[i, j, k] - r[i, k] }) },
   for j { (sum for i, k { p[i, j, k] * q[k, i, j] }) / f32(j + 1) + 2.0 },
   for j { sum for i, k { i64(t[i, j, k]) * i64(s[i, j, k] % 3) } }, true)
}
# CHECK: ok: bool true
