# Products that warps multiply as matrices, on a card of two multiprocessors: large,
# medium and small tiles, folds that blocks share, sizes that are no multiple of
# anything, operands that lie the other way round, and one array that is both. What is
# behind the end of the data is no number: it must not get into a sum.
# REQUIRES: numpy, cuda-emulator
# RUN: %python -c "import numpy as np; r = np.random.default_rng(3); [np.save(f'%t.{x}{k}.npy', r.integers(-3, 4, s).astype(t)) for k, (n, m, l, t) in enumerate(((520, 130, 33, 'f8'), (250, 70, 17, 'f8'), (37, 41, 1100, 'f8'), (130, 70, 1100, 'f8'), (600, 140, 40, 'f2'), (66, 90, 300, 'f2'))) for x, s in (('a', (n, l)), ('b', (l, m)), ('c', (l, n)), ('d', (m, l)))]"
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.a0.npy b=@%t.b0.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.a1.npy b=@%t.b1.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.a2.npy b=@%t.b2.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.a3.npy b=@%t.b3.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --arch=sm_80 --fact units=2 --check a=@%t.a1.npy b=@%t.b1.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry turned --target=cuda --arch=sm_90 --fact units=2 --check c=@%t.c1.npy d=@%t.d1.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry squares --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.c3.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry h --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.a4.npy b=@%t.b4.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry h --target=cuda --arch=sm_90 --fact units=2 --check a=@%t.a5.npy b=@%t.b5.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry brain --target=cuda --arch=sm_90 --fact units=2 --check n=70 m=45 l=75 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry behind --target=cuda --arch=sm_90 --fact units=2 --check n=70 m=45 l=75 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(a: f64[n, l], b: f64[l, m]) -> f64[n, m] = a @ b
export def turned(c: f64[l, n], d: f64[m, l]) -> f64[n, m] = for i in n, j in m { sum for k in l { c[k, i] * d[j, k] } }
export def squares(a: f64[l, n]) -> f64[n, n] = for i in n, j in n { sum for k in l { a[k, i] * a[k, j] } }
export def h(a: f16[n, l], b: f16[l, m]) -> f16[n, m] = a @ b
export def brain(n: int, m: int, l: int) -> f32[n, m] {
  let a = for i in n, k in l { bf16((i * 7 + k * 3) % 11 - 5) }
  let b = for k in l, j in m { bf16((k * 5 + j) % 7 - 3) }
  for i, j { sum for k in l { f32(a[i, k]) * f32(b[k, j]) } }
}
export def behind(n: int, m: int, l: int) -> f64[n, m] {
  let a = for i in n, k in l + 1 { if k == l { inf } else { f64((i * 7 + k * 3) % 11 - 5) } }
  let b = for k in l + 1, j in m { if k == l { nan } else { f64((k * 5 + j) % 7 - 3) } }
  for i, j { sum for k in l { a[i, k] * b[k, j] } }
}
