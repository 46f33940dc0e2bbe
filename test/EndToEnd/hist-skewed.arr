# Bins that many keys in a row have in common: one key, sorted ones, short runs,
# a few that are most of all; by updates of memory and of copies on chip.
# RUN: arrc run %s --check --entry exact n=9001 bins=1000 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry exact n=0 bins=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry spread n=8200 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry fast n=9001 bins=13000 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry fast n=4100 bins=5 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry integers n=9001 bins=13000 2>&1 | FileCheck %s
# CHECK: check: ok
# In integers: no rounding moves a key to the next bin.
def skewed(i: int, bins: int) -> int = bins * (i * 7919 % 10007)**3 // 10007**3

# Sums that are the same in any order.
export def exact(n: int, bins: int) -> (sorted: f32[bins], few: f32[bins], fixed: f32[64]) =
  (hist((+), 0.0, bins, oob = drop) for i in n { (i // 5, 1.0 / f32(i + 1)) },
   hist((+), 0.0, bins) for i in n { (skewed(i, bins), f32(i) * 0.001) },
   hist((+), 0.0, 64) for i in n { (i // 300 % 2 * 40, f32(i % 3) * 100.0) })

# Values of all sizes, many zeros, tiny ones in a nest.
export def spread(n: int) -> (f32[300], f32[5]) =
  (hist((+), 0.0, 300) for i in n { (i % 7 * 40, f32(i % 2) * 1e30 - 2.0 ** f32(i % 61 - 90)) },
   hist((+), 0.0, 5) for i in n, j in 3 { (j, if i % 50 == 0 { 1e-42 } else { 0.0 }) })

# Sums in any order, of f32 and f64.
export def fast(n: int, bins: int) -> (few: f32[bins], sorted: f64[bins]) =
  (@fast hist((+), 0.0, bins, oob = drop) for i in n { (skewed(i, bins + 2), 1.0) },
   @fast hist((+), f64(0.0), bins) for i in n { (i * bins // n, f64(i % 9)) })

export def integers(n: int, bins: int) -> (one: i32[bins], runs: i64[bins], most: u32[bins]) =
  (hist((+), i32(0), bins) for i in n { (bins // 3, i32(i)) },
   hist((+), 0, bins) for i in n { (i // 6, i * i) },
   hist(max, u32(0), bins, oob = clamp) for i in n { (bins - i // 4000, u32(i)) })
