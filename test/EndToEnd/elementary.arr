# Elementary functions at places where their values are plain.
# RUN: arrc run %s --check x=1.0 | FileCheck %s
export def f(x: f64) -> (a: f64, b: f64, c: f64, d: f64, e: f64, g: f64, h: f64, i: f64, j: f64) =
  (sqrt(4.0 * x), exp(0.0 * x), log(x), sin(0.0 * x), cos(0.0 * x), cbrt(8.0 * x), log2(8.0 * x), exp2(3.0 * x), hypot(3.0 * x, 4.0))

# CHECK: a: f64 2
# CHECK: b: f64 1
# CHECK: c: f64 0
# CHECK: d: f64 0
# CHECK: e: f64 1
# CHECK: g: f64 2
# CHECK: h: f64 3
# CHECK: i: f64 8
# CHECK: j: f64 5
