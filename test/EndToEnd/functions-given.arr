# A function that is given may call the one that it is given to.
# RUN: arrc run %s --check --entry plane n=100 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry named x=2.0 | FileCheck %s --check-prefix=R2
def integral(f: fn(f64) -> f64, b: f64, n: int) -> f64 = b / n * sum for i in n { f((i + 0.5) * b / n) }
export def plane(n: int) -> f64 = integral(fn(x) => integral(fn(y) => x * y, x, n), 1.0, n)
def apply(f: fn(f64) -> f64, x: f64) -> f64 = f(x)
def twice(x: f64) -> f64 = apply(fn(y) => 2.0 * y, x)
export def named(x: f64) -> f64 = apply(twice, x)

# R1: out: f64 0.1249937
# R2: out: f64 4
