# bool(x) is x != 0, int(b) is 0 or 1.
# RUN: arrc run %s --check 'x=[0, 3]' 'y=[nan, -0.0]' | FileCheck %s
export def f(x: int[n], y: f32[n]) -> (a: bool[n], b: bool[n], c: int[n], d: f32[n]) = (bool(x), bool(y), int(bool(x)), f32(bool(y)))

# CHECK: a: bool[2] [false, true]
# CHECK: b: bool[2] [true, false]
# CHECK: c: i64[2] [0, 1]
# CHECK: d: f32[2] [1, 0]
