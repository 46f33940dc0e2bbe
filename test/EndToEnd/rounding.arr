# floor, ceil, round to even, trunc.
# RUN: arrc run %s --check 'x=[2.5, -2.5, 3.5, -0.5, 1e10]' | FileCheck %s
export def f(x: f32[n]) -> (a: f32[n], b: f32[n], c: f32[n], d: f32[n]) = (floor(x), ceil(x), round(x), trunc(x))

# CHECK: a: f32[5] [2, -3, 3, -1, 10000000000]
# CHECK: b: f32[5] [3, -2, 4, -0, 10000000000]
# CHECK: c: f32[5] [2, -2, 4, -0, 10000000000]
# CHECK: d: f32[5] [2, -2, 3, -0, 10000000000]
