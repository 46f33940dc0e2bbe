# Constants from constants, arrays of them, a for in one.
# RUN: arrc run %s --check x=3.0 | FileCheck %s
const N = 4
const M = 2 * N + 1
const table: int[N] = for i in N { i * i }
const third = 1.0 / 3
export def f(x: f64) -> (m: int, t: int[N], y: f64, s: f32) = (M, table, x * third, third)

# CHECK: m: i64 9
# CHECK: t: i64[4] [0, 1, 4, 9]
# CHECK: y: f64 1
# CHECK: s: f32 0.33333334
