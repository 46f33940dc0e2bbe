# A reduction of tuples works component by component.
# RUN: arrc run %s --check 'x=[1.0, 2.0, 4.0]' | FileCheck %s
export def moments(x: f32[n]) -> (s: f32, s2: f32, lo: f32) {
  let (s, s2) = sum for i { (x[i], x[i] * x[i]) }
  (s, s2, min(x))
}

# CHECK: s: f32 7
# CHECK: s2: f32 21
# CHECK: lo: f32 1
