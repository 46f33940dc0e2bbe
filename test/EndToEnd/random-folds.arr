# Folds of random numbers: neighbours share blocks of words, which a thread computes once; any rest of four.
# RUN: arrc run %s --entry disc --check samples=1 seed=9
# RUN: arrc run %s --entry disc --check samples=4103 seed=9 | FileCheck %s --check-prefix=DISC
# DISC: out: i64 3209
# RUN: arrc run %s --entry noise --check n=0 seed=9
# RUN: arrc run %s --entry noise --check n=1003 seed=9
# RUN: arrc run %s --entry dice --check n=1001 m=7 seed=9
# RUN: arrc run %s --entry dice --check n=3 m=1002 seed=-1
# RUN: arrc run %s --entry turned --check n=7 m=1001 seed=9
# RUN: arrc run %s --entry quotients --check n=1037 | FileCheck %s --check-prefix=QUOTIENTS
# QUOTIENTS: out0: i64 2065
# QUOTIENTS: out1: i64 6
export def disc(samples: int, seed: int) -> int = count for i in samples {
  let (x, y) = (uniform(seed, i, 0), uniform(seed, i, 1))
  x*x + y*y < 1.0
}
export def noise(n: int, seed: int) -> f64 = sum for i in n { normal(seed, i, 3) * f64(uniform(seed, i)) }
export def dice(n: int, m: int, seed: int) -> int = sum for i in n, j in m { randint(seed, i, j, lo = -3, hi = 100) }
export def turned(n: int, m: int, seed: int) -> int = sum for i in n, j in m { randint(seed, j, i, lo = -3, hi = 100) // 8 }
export def quotients(n: int) -> (int, int) = (sum for i in n { i // 8 % 5 * (i % 3) }, max for i in n { (n - i) // 4 % 7 })
