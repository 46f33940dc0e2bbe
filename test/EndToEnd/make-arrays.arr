# zeros, ones, full, iota; their types come from where they go.
# RUN: arrc run %s --check n=2 | FileCheck %s
export def f(n: int) -> (a: f32[n], b: i32[2, n], c: f64[n], d: int[n], e: bool[n]) =
  (zeros(n), ones(2, n), full(0.5, n), iota(n), full(true, n))

# CHECK: a: f32[2] [0, 0]
# CHECK: b: i32[2, 2] {{\[\[}}1, 1], [1, 1]]
# CHECK: c: f64[2] [0.5, 0.5]
# CHECK: d: i64[2] [0, 1]
# CHECK: e: bool[2] [true, true]
