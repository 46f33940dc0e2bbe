# Products by tiles of every kind between small and large ones, on a card of two
# multiprocessors: a wave of medium ones, halves, more than a wave, and folds that
# 4 and 16 blocks share, whose parts are folded by a thread a result.
# REQUIRES: numpy, cuda-emulator
# RUN: %python -c "import numpy as np; r = np.random.default_rng(3); [np.save(f'%t.{x}{k}.npy', r.integers(-3, 4, s).astype(t)) for k, (n, m, l, t) in enumerate(((60, 200, 40, 'f4'), (70, 150, 40, 'f4'), (130, 200, 33, 'f4'), (37, 41, 1100, 'f4'), (34, 35, 2100, 'f4'), (50, 70, 40, 'f8'), (20, 34, 1100, 'f8'))) for x, s in (('a', (n, l)), ('b', (l, m)))]"
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --fact units=2 --check a=@%t.a0.npy b=@%t.b0.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --fact units=2 --check a=@%t.a1.npy b=@%t.b1.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --fact units=2 --check a=@%t.a2.npy b=@%t.b2.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --fact units=2 --check a=@%t.a3.npy b=@%t.b3.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry f --target=cuda --fact units=2 --check a=@%t.a4.npy b=@%t.b4.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry g --target=cuda --fact units=2 --fact matrix_f64=0 --check a=@%t.a5.npy b=@%t.b5.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --entry g --target=cuda --fact units=2 --fact matrix_f64=0 --check a=@%t.a6.npy b=@%t.b6.npy 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(a: f32[n, l], b: f32[l, m]) -> f32[n, m] = a @ b
export def g(a: f64[n, l], b: f64[l, m]) -> f64[n, m] = a @ b
