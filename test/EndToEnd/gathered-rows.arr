# Rows whose numbers are read, written and folded: rows that are aligned and
# others, of a few elements and of many, also of other types; what is outside is
# reported for the first place at fault, whichever thread finds it.
# RUN: arrc run %s --check k=9 m=64 n=37 at=40 2>&1 | FileCheck %s
# REQUIRES: cuda-emulator
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check k=9 m=64 n=137 at=200 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check k=5 m=12 n=300 at=300 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=5 %emulate arrc run %s --target=cuda --check k=3 m=1028 n=33 at=90 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=5 %emulate arrc run %s --target=cuda --check k=7 m=37 n=65 at=90 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check k=1 m=1 n=1 at=90 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check k=2 m=0 n=0 at=90 2>&1 | FileCheck %s
# RUN: %exit_code 3 env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda k=9 m=64 n=137 at=77 2>&1 | FileCheck %s --check-prefix=OUT
# RUN: %exit_code 3 env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=2 %emulate arrc run %s --target=cuda k=9 m=64 n=137 at=133 2>&1 | FileCheck %s --check-prefix=LAST
# CHECK: check: ok
export def f(k: int, m: int, n: int, at: int) -> (r: f32[n, m], fixed: f32[n, 8], halves: f16[n, m], shifted: f32[n, m], sums: f32[n], most: f64[n]) {
  let a = for i in k, j in m { f32((i * 31 + j * 7) % 23 - 11) }
  let b = for i in k, j in 8 { f32(i * 8 - j) }
  let h = for i in k, j in m { f16((i + j) % 9) }
  let d = for i in k, j in m { f64((i * 5 + j * 11) % 17) }
  # At fault from `at` on, each by its own number.
  let idx = for i in n { i32(if i < at { (i * 7 + 3) % k } else { k + i }) }
  (for i in n, j in m { a[idx[i], j] },
   for i in n, j in 8 { b[idx[i], j] * 2.0 },
   for i in n, j in m { h[idx[i], j] },
   for i in n, j in m { a[k - 1 - idx[i], j] + a[idx[i], m - 1 - j] },
   for i in n { sum for j in m { a[idx[i], j] } },
   for i in n { max for j in m { d[idx[i], j] } })
}

# OUT: index 86 is outside of a dimension of size 9
# LAST: index 142 is outside of a dimension of size 9
