# select computes both sides; clamp, sign, abs, copysign.
# RUN: arrc run %s --check 'a=[1.5, -2.5, 0.5]' 'c=[true, false, true]' | FileCheck %s
export def f(a: f32[n], c: bool[n]) -> (s: f32[n], k: f32[n], g: f32[n], b: f32[n], d: f32[n]) =
  (select(c, a, 0.0), clamp(a, -1.0, 1.0), sign(a), abs(a), copysign(2.0, a))

# CHECK: s: f32[3] [1.5, 0, 0.5]
# CHECK: k: f32[3] [1, -1, 0.5]
# CHECK: g: f32[3] [1, -1, 1]
# CHECK: b: f32[3] [1.5, 2.5, 0.5]
# CHECK: d: f32[3] [2, -2, 2]
