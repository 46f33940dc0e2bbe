# Updates that devices make of integers: sums of floats, which no order changes,
# least and largest values with NaN and signed zeros, narrow integers.
# RUN: arrc run %s --check --entry special 'b=[0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6]' 'v=[inf, 1.0, -inf, inf, -inf, 2.0, nan, 1.0, 1e-45, 3e38, -3e38, 1e-40, -1.0]' | FileCheck %s --check-prefix=S
# RUN: arrc run %s --check --entry exact n=4099 | FileCheck %s --check-prefix=E
# RUN: arrc run %s --check --entry narrow n=1031 | FileCheck %s --check-prefix=N
# RUN: arrc run %s --check --entry narrow n=0 | FileCheck %s --check-prefix=N0
# RUN: arrc run %s --check --entry box n=33 m=65 bins=1000 | FileCheck %s --check-prefix=B
# RUN: %exit_code 3 arrc run %s --check --entry outside n=100 bins=7 2>&1 | FileCheck %s --check-prefix=O
export def special(b: int[n], v: f32[n]) -> (s: f32[7], most: f32[8], least: f32[8], far: f64[8]) =
  (hist((+), 0.0, 7) for i { (b[i], v[i]) },
   hist(max, -inf, 8) for i { (b[i], -0.0 * v[i] + v[i]) },
   hist(min, inf, 8) for i { (b[i], v[i]) },
   hist(max, -inf, 8) for i { (b[i], f64(v[i])) })

# One key: large values that cancel, beside small ones.
export def exact(n: int) -> (sum: f32[1], bins: f32[3]) =
  (hist((+), 0.0, 1) for i in n { (0, f32(i % 2) * -0.75 + 0.5) },
   hist((+), 0.0, 3, oob = drop) for i in n { (i % 4, f32(i % 3 - 1) * 1024.0) })

export def narrow(n: int) -> (a: i8[7], b: u8[7], c: i16[7], d: u16[7], e: bool[7], f: i8[7], g: u8[7]) =
  (hist((+), i8(0), 7) for i in n { (i % 7, i8(i % 11)) },
   hist(max, u8(0), 7) for i in n { (i % 7, u8(i % 251)) },
   hist(min, i16(99), 7) for i in n { (i % 7, i16(i % 13 - 6)) },
   hist((+), u16(0), 7) for i in n { (i % 7, u16(i % 5000)) },
   hist((or), false, 7) for i in n { (i % 7, i % 49 == 3) },
   hist(min, i8(0), 7, oob = clamp) for i in n { (i % 9, -i8(i % 100)) },
   hist(bitand, u8(255), 7) for i in n { (i % 7, u8(255 - i % 8)) })

export def box(n: int, m: int, bins: int) -> f32[bins, 2] =
  hist((+), 0.0, (bins, 2), oob = drop) for i in n, j in m { ((i * j, j % 2), 1.0 / f32(1 + i)) }

export def outside(n: int, bins: int) -> f32[bins] = hist((+), 0.0, bins) for i in n { (i, 1.0) }

# S: s: f32[7] [inf, nan, -inf, nan, 1e-45, 0, -1]
# S: least
# E: sum: f32[1] [512.75]
# E: bins: f32[3]
# N: a: i8[7]
# N0: a: i8[7] [0, 0, 0, 0, 0, 0, 0]
# N0: g: u8[7] [255,
# B: out: f32[1000, 2]
# O: hist-encoded.arr:
