# Constant weights and an inner reduction with constant range.
# RUN: arrc run %s --check 'a=[4.0, 8.0, 16.0]' | FileCheck %s
const R = 1
const w: f32[2*R+1] = [0.25, 0.5, 0.25]
export def blur(a: f32[n]) -> f32[n] {
  let e = extend(a, clamp)
  stencil i in n { sum for d in -R:R+1 { w[d + R] * e[i + d] } }
}

# CHECK: out: f32[3] [5, 9, 14]
