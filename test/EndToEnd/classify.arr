# isnan, isinf, isfinite.
# RUN: arrc run %s --check 'x=[nan, inf, -inf, 0.0]' | FileCheck %s
export def f(x: f32[n]) -> (a: bool[n], b: bool[n], c: bool[n]) = (isnan(x), isinf(x), isfinite(x))

# CHECK: a: bool[4] [true, false, false, false]
# CHECK: b: bool[4] [false, true, true, false]
# CHECK: c: bool[4] [false, false, false, true]
