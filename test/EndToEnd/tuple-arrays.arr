# A for over tuples makes an array of tuples, unzipped three ways.
# RUN: arrc run %s --check n=3 | FileCheck %s
export def f(n: int) -> (p: int[n], q: f32[n], r: int[n]) {
  let (p, q) = for i in n { (i, 0.5 * i) }
  let z = for i in n { (i * i, true) }
  (p, q, z.0)
}

# CHECK: p: i64[3] [0, 1, 2]
# CHECK: q: f32[3] [0, 0.5, 1]
# CHECK: r: i64[3] [0, 1, 4]
