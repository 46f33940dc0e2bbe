# Rows with a maximum, an exponential and a sum.
# RUN: arrc run %s --check 'x=[[1.0, 1.0], [2.0, 2.0]]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'x=[[3.0]]' | FileCheck %s --check-prefix=R2
export def softmax(x: f32[n, m]) -> f32[n, m] =
  for i {
    let mx = max for j { x[i, j] }
    let e  = for j { exp(x[i, j] - mx) }
    let s  = sum(e)
    for j { e[j] / s }
  }

# R1: out: f32[2, 2] {{\[\[}}0.5, 0.5], [0.5, 0.5]]
# R2: out: f32[1, 1] {{\[\[}}1]]
