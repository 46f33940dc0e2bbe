# Windows over few long rows: a block of threads along one row, each of which takes
# several; and over more rows, whose blocks share them.
# REQUIRES: numpy, cuda-emulator
# RUN: %python -c "import numpy; r = numpy.random.default_rng(7); [numpy.save('%t' + str(n) + '.npy', r.integers(0, 9, (n, 517)).astype('f4')) for n in (3, 17, 33)]"
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check a=@%t3.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check a=@%t17.npy 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check a=@%t33.npy 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(a: f32[n, m]) -> f32[n - 2, m - 2] =
  for i in n - 2, j in m - 2 { sum for p in 3, q in 3 { a[i + p, j + q] } }
