# IEEE division, floor division and remainder of floats.
# RUN: arrc run %s --check 'a=[7.5, -7.5, 7.5, -7.5]' 'b=[2.0, 2.0, -2.0, -2.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[1.0, -1.0, 0.0]' 'b=[0.0, 0.0, 0.0]' | FileCheck %s --check-prefix=R2
export def f(a: f32[n], b: f32[n]) -> (x: f32[n], q: f32[n], r: f32[n]) = (a / b, a // b, a % b)

# R1: x: f32[4] [3.75, -3.75, -3.75, 3.75]
# R1: q: f32[4] [3, -4, -4, 3]
# R1: r: f32[4] [1.5, 0.5, -0.5, -1.5]
# R2: x: f32[3] [inf, -inf, nan]
