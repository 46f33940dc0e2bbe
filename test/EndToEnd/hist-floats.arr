# Sums of floats in bins; the condition drops values.
# RUN: arrc run %s --check 'x=[0.5, 1.5, -1.0, 2.0]' 'b=[0, 2, 1, 0]' | FileCheck %s
export def f(x: f32[n], b: int[n]) -> f32[3] = hist((+), 0.0, 3) for i if x[i] > 0.0 { (b[i], x[i]) }

# CHECK: out: f32[3] [2.5, 0, 1.5]
