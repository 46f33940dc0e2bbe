# Integers of 64 bits to floats in lanes: all sizes of them, halves between two
# floats, and lanes of which some fit into 32 bits.
# RUN: arrc run %s --check n=1000 at=62 | FileCheck %s
# RUN: arrc run %s --check n=1000 at=31 | FileCheck %s
# RUN: arrc run %s --check n=1000 at=0 | FileCheck %s
# RUN: arrc run %s --check n=37 at=33 | FileCheck %s
export def f(n: int, at: int) -> (a: f64[n], b: f32[n], c: f64[n], d: f32[n], e: f32[n], s: f64, ok: bool) {
  # Random bits, of which so many are left; sums of two powers next to each other.
  let x = for i in n { shr(i * 6364136223846793005 + 1442695040888963407 * (i % 7), i * 5 % (at + 1)) }
  let y = for i in n { shl(1, i % 63) + shl(1, i * 11 % 39) - i % 3 }
  (for i in n { f64(x[i]) }, for i in n { f32(x[i]) }, for i in n { f64(u64(x[i])) },
   for i in n { f32(u64(x[i])) }, for i in n { f32(y[i]) }, sum for i in n { f64(y[i]) }, true)
}
# CHECK: ok: bool true
