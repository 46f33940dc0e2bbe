# Each operation rounds to bf16.
# RUN: arrc run %s --check 'x=[256.0, 1.0, 1.0]' | FileCheck %s
export def f(x: f32[n]) -> (y: f32[n], s: f32) {
  let a = bf16(x)
  (f32(a + bf16(1.0)), f32(sum(a)))
}

# CHECK: y: f32[3] [256, 2, 2]
# CHECK: s: f32 258
