# An order that matters: each element sees the new one before it.
# RUN: arrc run %s --check 'u0=[8.0, 0.0, 0.0, 0.0, 4.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'u0=[1.0]' | FileCheck %s --check-prefix=R2
export def gs(u0: f32[n]) -> f32[n] {
  var u = u0
  loop k in 1:n-1 { u[k] = 0.5 * (u[k-1] + u[k+1]) }
  u
}

# R1: out: f32[5] [8, 4, 2, 3, 4]
# R2: out: f32[1] [1]
