# Literals and open floats take the type that they meet.
# RUN: arrc run %s --check n=2 x=1.0 | FileCheck %s
export def f(n: int, x: f64) -> (a: f64, b: f32, c: f32, d: i32, e: f64) {
  let h = 0.1
  let k = 2.0 * pi
  (x + h, h, 7 / 2.0, 3, k * x / n)
}

# CHECK: a: f64 1.1
# CHECK: b: f32 0.1
# CHECK: c: f32 3.5
# CHECK: d: i32 3
# CHECK: e: f64 3.14159265358979
