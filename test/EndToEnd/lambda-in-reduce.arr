# Functions given to functions that reduce with them.
# RUN: arrc run %s --check 'a=[1.0, -4.0, 3.0]' | FileCheck %s
def kmax(op: fn(f32, f32) -> f32, a: f32[n]) -> f32 = reduce(op, 0.0, a)
export def use_kmax(a: f32[n]) -> f32 = kmax(fn(x, y) => if abs(x) > abs(y) { x } else { y }, a)

# CHECK: out: f32 -4
