# Toward zero, saturating, NaN is 0.
# RUN: arrc run %s --check 'x=[1.9, -1.9, 1e20, -1e20, nan, 200.0]' | FileCheck %s
export def f(x: f32[n]) -> (a: int[n], b: i32[n], c: i8[n], d: u8[n]) = (int(x), i32(x), i8(x), u8(x))

# CHECK: a: i64[6] [1, -1, 9223372036854775807, -9223372036854775808, 0, 200]
# CHECK: b: i32[6] [1, -1, 2147483647, -2147483648, 0, 200]
# CHECK: c: i8[6] [1, -1, 127, -128, 0, 127]
# CHECK: d: u8[6] [1, 0, 255, 0, 0, 200]
