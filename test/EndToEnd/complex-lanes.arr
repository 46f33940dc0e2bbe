# Complex numbers in lanes: in order, from the end, apart, masked, chosen, the same in all.
# RUN: arrc run %s --check --entry maps n=0 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry maps n=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry maps n=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry maps n=77 2>&1 | FileCheck %s --check-prefix=MAPS
# RUN: arrc run %s --check --entry maps n=40003 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry maps n=77 --sanitize 2>&1 | FileCheck %s --check-prefix=MAPS
# RUN: arrc run %s --check --entry single n=1 m=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry single n=5 m=0 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry single n=19 m=45 --sanitize 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=1 m=1 steps=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=7 m=33 steps=3 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=60 m=20 steps=1 --sanitize 2>&1 | FileCheck %s --check-prefix=OK
# RUN: for n in 0 1 5 77 40003; do arrc run %s --check --entry kept n=$n 2>&1 | FileCheck %s --check-prefix=OK; done
# OK: check: ok
# MAPS: check: ok
# MAPS: s: c128 (2926, 0)
export def maps(n: int) -> (s: c128, sum: c128[n], turned: c128[n], apart: c128[n], chosen: c128[n], same: c128[n]) {
  let a = for i in n { complex(f64(i), f64(i % 7) - 3.0) }
  let b = for i in n { complex(f64(i % 5), f64(n - i)) }
  let wide = for i in 2 * n { complex(f64(i % 11), f64(-i)) }
  let turned = for i { a[n-1-i] - b[i] }
  let shown = for i in n { complex(re(a[i]), im(a[i]) * 0.0) }
  (sum(shown), a + b, turned,
   for i in n { wide[2*i] - wide[2*i+1] },
   for i in n { if i % 3 == 0 { -a[i] } else if i >= 2 { b[i-2] } else { complex(1.0, 2.0) } },
   for i in n { a[0] + complex(re(b[i]), 0.5) })
}

export def single(n: int, m: int) -> (turned: c64[m, n], product: c64[n, m], inner: c64[n, m]) {
  let a: c64[n, m] = for i in n, j in m { complex(f32(i % 9), f32(j % 4)) }
  let b: c64[n, m] = for i in n, j in m { complex(f32(j), f32(i)) }
  (transpose(a), a * b, for i in n, j in m { if i + j > 2 { a[i, j] * b[i, j] + 1.0 } else { b[i, m-1-j] } })
}

# Parts of rows, in place.
export def rows(n: int, m: int, steps: int) -> c128[n, m] where n >= 1, m >= 1 {
  var w = for i in n, j in m { complex(f64((i * 5 + j) % 4), f64(j % 3)) }
  loop k in steps {
    let at = k % min(n, m)
    loop i in at+1:n { w[i, at:] -= w[at, at:] * 0.5 }
    w[at] = reverse(w[at])
  }
  w
}

# Lanes that are kept go to places of their own.
export def kept(n: int) -> (same: c64[?], other: c128[?]) {
  let a = for i in n { complex(f64(i % 5), f64(n - i)) }
  (for i in n if i % 3 != 1 { 3.5 + 1.0j }, for x in a if re(x) > 1.0 { x - 2.0j })
}
