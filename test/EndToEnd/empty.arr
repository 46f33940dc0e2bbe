# Empty arrays of every rank through maps, reductions, transposes.
# RUN: arrc run %s --check 'a=[[], []]' | FileCheck %s
export def f(a: f32[n, m]) -> (t: f32[m, n], s: f32[n], c: f32[m], b: f32[n, m]) =
  (transpose(a), sum(a, axis = 1), sum(a, axis = 0), for i, j { 2.0 * a[i, j] })

# CHECK: t: f32[0, 2] []
# CHECK: s: f32[2] [0, 0]
# CHECK: c: f32[0] []
# CHECK: b: f32[2, 0] []
