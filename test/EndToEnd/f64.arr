# Doubles: nothing becomes f32 on the way.
# RUN: arrc run %s --check 'a=[0.1, 0.2]' x=1.0 | FileCheck %s
export def f(a: f64[n], x: f64) -> (b: f64[n], s: f64, t: f64) = (a + 0.1, sum(a), x / 3)

# CHECK: b: f64[2] [0.2, 0.3
# CHECK: s: f64 0.3
# CHECK: t: f64 0.333333333333333
