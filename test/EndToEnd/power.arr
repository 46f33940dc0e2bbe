# Small powers multiply; integers multiply out; others are pow.
# RUN: arrc run %s --check --entry f x=3.0 k=-3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry bad k=2 e=10 | FileCheck %s --check-prefix=R2
# RUN: %exit_code 3 arrc run %s --check --entry bad k=2 e=-1 2>&1 | FileCheck %s --check-prefix=R3
export def f(x: f32, k: int) -> (a: f32, b: f32, c: f32, d: int, e: int, g: f32, h: int) =
  (x**2, x**3, x**4, k**5, k**0, 2.0**-1, -k**2)
export def bad(k: int, e: int) -> int = k ** e

# R1: a: f32 9
# R1: b: f32 27
# R1: c: f32 81
# R1: d: i64 -243
# R1: e: i64 1
# R1: g: f32 0.5
# R1: h: i64 -9
# R2: out: i64 1024
# R3: power.arr:
