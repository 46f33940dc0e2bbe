# Sorts in the bodies of maps and folds: medians of windows, rows that are
# computed, numbers that move along, below a branch, of an array's columns.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry few n=37 m=29 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry few n=1 m=1 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=23 m=41 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=3 m=5000 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=0 m=3 2>&1 | FileCheck %s
# CHECK: check: ok
def special(i: int) -> f32 {
  let r = (i * 7919 + i * i * 31) % 41
  if r == 0 { nan } else if r == 1 { inf } else if r == 2 { -inf }
  else if r == 3 { -0.0 } else if r == 4 { 0.0 } else { f32(r - 20) * 1.5 }
}

export def few(n: int, m: int) -> (a: f32[n, m], b: u8[n, m], c: int[n, 6], d: i16[n, 4, 5],
                                   e: u64[n, 32])
where n > 0, m > 0 {
  let x = for i in n, j in m { special(i * m + j) }
  let around = extend(x, clamp)
  let y = extend(for i in n, j in m { u8((i * 37 + j * 91) % 256) }, mirror)
  (for i in n, j in m { let s = sort(for a in 9 { around[i + a // 3 - 1, j + a % 3 - 1] })
                        s[4] },
   for i in n, j in m { let s = sort(for a in 5 { y[i, j + a - 2] })
                        s[0] + s[4] },
   for i in n { argsort(for k in 6 { special(i * 6 + k) }) },
   for i in n { sort(for a in 4, b in 5 { i16(-(i * a + b) * 77 % 1000) }, axis = 0) },
   for i in n { sort(for k in 32 { u64((i * k * 12345) % 777) * u64(1152921504606846976) }) })
}

export def rows(n: int, m: int) -> (a: f32[n, m], b: int[n, m], c: f64, d: f32[n], e: i32[n, 2])
where m > 2 {
  let x = for i in n, j in m { special(i * m + j) }
  let p = for i in n, j in m { (i * 31 + j * 17) % 5 }
  let y = for j in m { f32(j) * 0.25 }
  (for i in n { sort(x[i]) },
   for i in n { let o = argsort(p[i])
                for j in m { o[j] * 2 } },
   sum for i in n { let s = sort(for j in m { abs(f64(p[i, j]) - 1.5) })
                    s[m // 2] },
   for i in n { if p[i, 0] > 1 { let s = sort(for j in m { abs(y[j] - f32(i)) })
                                 s[0] + s[1] } else { 0.5 } },
   for i in n { for k in 2 { let s = sort(for j in m { i32(p[i, j]) * (1 - 2 * i32(k)) })
                             s[2] } })
}
