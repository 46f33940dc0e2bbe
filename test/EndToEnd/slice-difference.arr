# The difference of neighbours: one slice against another.
# RUN: arrc run %s --check 'a=[1.0, 4.0, 9.0, 16.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[1.0]' | FileCheck %s --check-prefix=R2
export def diff(a: f32[n]) -> f32[n-1] = a[1:n] - a[0:n-1]

# R1: out: f32[3] [3, 5, 7]
# R2: out: f32[0] []
