# Updates of copies that blocks have on chip: bins that fit many times, a few
# times, once and not at all, keys at random, sorted and all the same.
# RUN: arrc run %s --check --entry counts n=4099 bins=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry counts n=0 bins=7 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry counts n=9001 bins=1000 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry counts n=5000 bins=65536 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry few n=17001 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry fast n=7000 bins=1000 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry ranges n=9000 bins=20001 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry boxes n=101 m=57 2>&1 | FileCheck %s
# RUN: %exit_code 3 arrc run %s --check --entry outside n=9000 2>&1 | FileCheck %s --check-prefix=O
# CHECK: check: ok
# O: error: index 7 is outside of a dimension of size 7

# Sizes that are found out: the same counts by keys of three kinds.
export def counts(n: int, bins: int) -> (random: i32[bins], sorted: int[bins], one: u32[bins], low: i32[bins], high: u32[bins], sums: i64[bins], odd: i32[bins]) =
  (hist((+), i32(0), bins) for i in n { (i * i % 8191 % bins, i32(1)) },
   hist((+), 0, bins) for i in n { (i * bins // n, 3) },
   hist((+), u32(0), bins) for i in n { (bins - 1, u32(i)) },
   hist(min, i32(7), bins, oob = clamp) for i in n { (i - 3, i32(5 - i)) },
   hist(max, u32(7), bins, oob = drop) for i in n { (i * 7 - 5, u32(i * 77)) },
   hist((+), 0, bins) for i in n { (i % bins, i * i) },
   hist(bitxor, i32(0), bins) for i in n { (i * 3 % bins, i32(i)) })

# Constant ones, of which the copies are as many as fit.
export def few(n: int) -> (a: i32[256], b: int[7], c: i32[1000], d: u8[300], e: f32[64], f: int[5000], g: int[100], h: i32[20000]) {
  let keys = for i in n { u8(i * i % 251) }
  let a = hist((+), i32(0), 256) for i in n { (int(keys[i]), i32(1)) }
  let b = hist((+), 0, 7) for i in n { (i % 7, 1) }
  let c = hist(bitor, i32(0), 1000) for i in n { (i % 1000, i32(i)) }
  let d = hist((+), u8(0), 300) for i in n { (i % 300, u8(i % 9)) }
  let e = hist(max, -inf, 64) for i in n { (i % 64, f32(i % 17)) }
  let f = hist((+), 0, 5000) for i in n { (i * 11 % 5000, -2) }
  let g = hist(max, -5, 100) for i in n { (i % 100, i) }
  let h = hist((+), i32(0), 20000) for i in n { (i * 13 % 20000, i32(1)) }
  (a, b, c, d, e, f, g, h)
}

export def boxes(n: int, m: int) -> (i32[6, 5], int[n, 3]) =
  (hist((+), i32(0), (6, 5)) for i in n, j in m { ((i % 6, j % 5), i32(1)) },
   hist((+), 0, (n, 3)) for i in n, j in m { ((i, j % 3), 1) })

export def outside(n: int) -> int[7] = hist((+), 0, 7) for i in n { (i // 1000, 1) }

# Sums of floats in any order.
export def fast(n: int, bins: int) -> (f32[bins], f32[7], f64[bins]) =
  (@fast hist((+), 0.0, bins) for i in n { (i * 7 % bins, 1.0 / f32(1 + i)) },
   @fast hist((+), 0.0, 7) for i in n { (3, f32(i % 5)) },
   @fast hist((+), f64(0.0), bins) for i in n { (i % bins, 1.0 / f64(1 + i)) })

# Bins in ranges, each of which takes all keys.
export def ranges(n: int, bins: int) -> (i32[bins], int[30000], u32[bins]) =
  (hist((+), i32(0), bins) for i in n { (i * i % bins, i32(1)) },
   hist((+), 0, 30000) for i in n { (i * i % 7919 * 3, 5) },
   hist(max, u32(3), bins, oob = drop) for i in n { (i * 7 % 40000, u32(i)) })
