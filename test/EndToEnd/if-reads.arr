# What a condition proves about an index holds where it is true: flattened
# branches read nothing outside.
# RUN: arrc run %s --check --entry before 'x=[1.0, 2.0, 3.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry inner 'x=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]' | FileCheck %s --check-prefix=R2
# RUN: arrc build %s --emit=kernel | FileCheck %s --check-prefix=EDGE
export def before(x: f32[n]) -> f32[n] = for i in n { if i > 0 { x[i-1] } else { 0.5 } }
export def inner(x: f32[n, m]) -> f32[n, m] where n >= 2, m >= 2 =
  for i in n, j in m {
    if i > 0 and i < n - 1 and j > 0 and j < m - 1 {
      x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]
    } else {
      x[i, j]
    }
  }

# R1: out: f32[3] [0.5, 1, 2]
# R2: out: f32[3, 3]
# R2: [4, 20, 6]

# EDGE: kernel.load {{.*}} edge [clamp]
# EDGE-COUNT-2: kernel.load {{.*}} edge [clamp, none]
# EDGE-COUNT-2: kernel.load {{.*}} edge [none, clamp]
