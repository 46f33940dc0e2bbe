# A sum of a million terms: the tree keeps it near the exact one; integers are exact.
# RUN: arrc run %s --check n=1000000 | FileCheck %s
export def f(n: int) -> (ones: f32, ints: int, sq: f64) {
  let o = sum for i in n { 1.0 }
  let k = sum for i in n { i }
  let s: f64 = sum for i in n { f64(i) }
  (o, k, s)
}

# CHECK: ones: f32 1000000
# CHECK: ints: i64 499999500000
# CHECK: sq: f64 499999500000
