# Each operation rounds to f16; sums accumulate in f32.
# RUN: arrc run %s --check 'a=[2048.0, 1.0, 1.0, 0.1]' k=1.5 | FileCheck %s
export def f(a: f16[n], k: f16) -> (b: f16[n], s: f16, big: f16) = (a * k + k, sum(a), a[0] * f16(60000.0))

# CHECK: b: f16[4] [3074, 3, 3, 1.65
# CHECK: s: f16 2050
# CHECK: big: f16 inf
