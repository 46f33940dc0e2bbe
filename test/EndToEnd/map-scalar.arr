# An array and a scalar: elementwise, and the empty array.
# RUN: arrc run %s --check 'a=[1.0, 2.0, 3.0]' s=2.0 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[]' s=2.0 | FileCheck %s --check-prefix=R2
export def f(a: f32[n], s: f32) -> f32[n] = s * a + 1.0

# R1: out: f32[3] [3, 5, 7]
# R2: out: f32[0] []
