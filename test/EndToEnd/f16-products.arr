# Products of '@' are those of f32: 300 * 300 is none of f16, its half is.
# RUN: arrc run %s --check 'a=[[300.0, 300.0]]' 'b=[[300.0], [-299.5]]' 'x=[300.0, 300.0]' 'y=[300.0, -299.5]' | FileCheck %s
# CHECK: c: f16[1, 1] {{\[\[}}150]]
# CHECK: d: f16 150
# CHECK: e: f16[1] [150]
# CHECK: wide: f32[1, 1] {{\[\[}}150]]
# CHECK: rounded: f16 nan
export def f(a: f16[n, k], b: f16[k, m], x: f16[k], y: f16[k]) -> (c: f16[n, m], d: f16, e: f16[n], wide: f32[n, m], rounded: f16) =
  (a @ b, x @ y, a @ y, a @ b, sum for i { x[i] * y[i] })
