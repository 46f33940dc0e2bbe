# A user operator in order, with its neutral element.
# RUN: arrc run %s --check 'a=[1.0, -5.0, 3.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[]' | FileCheck %s --check-prefix=R2
export def f(a: f32[n]) -> f32 = reduce(fn(x, y) => if abs(x) > abs(y) { x } else { y }, 0.0, a)

# R1: out: f32 -5
# R2: out: f32 0
