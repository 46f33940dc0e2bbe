# All elementary functions against the evaluator, within what the language promises.
# RUN: arrc run %s --check --entry f32s 'x=[0.0, 0.5, -0.5, 1.0, -3.7, 8.25, 0.001]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f64s 'x=[0.0, 0.5, -0.5, 1.0, -3.7, 8.25, 0.001]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry binary 'x=[1.0, -2.0, 0.5]' 'y=[0.5, 3.0, -4.0]' | FileCheck %s --check-prefix=R3
export def f32s(x: f32[n]) -> f32[n, 24] =
  for i {
    let v = x[i]
    let u = abs(v) + 0.1
    let w = v / (1.0 + abs(v))
    [sqrt(u), rsqrt(u), cbrt(v), exp(v), exp2(v), expm1(v), log(u), log2(u), log10(u), log1p(u), sin(v), cos(v),
     tan(w), sinh(w), cosh(w), tanh(v), asin(w), acos(w), atan(v), asinh(v), acosh(1.0 + u), atanh(w), erf(v), erfc(v)]
  }
export def f64s(x: f64[n]) -> f64[n, 24] =
  for i {
    let v = x[i]
    let u = abs(v) + 0.1
    let w = v / (1.0 + abs(v))
    [sqrt(u), rsqrt(u), cbrt(v), exp(v), exp2(v), expm1(v), log(u), log2(u), log10(u), log1p(u), sin(v), cos(v),
     tan(w), sinh(w), cosh(w), tanh(v), asin(w), acos(w), atan(v), asinh(v), acosh(1.0 + u), atanh(w), erf(v), erfc(v)]
  }
export def binary(x: f32[n], y: f32[n]) -> f32[n, 3] = for i { [atan2(y[i], x[i]), hypot(x[i], y[i]), abs(x[i]) ** y[i]] }

# R1: out: f32[7, 24]
# R2: out: f64[7, 24]
# R3: out: f32[3, 3]
