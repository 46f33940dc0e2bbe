# Integers wrap on every width.
# RUN: arrc run %s --check a=-100 b=20 c=65537 d=9223372036854775807 e=0 | FileCheck %s
export def f(a: i8, b: u8, c: i32, d: i64, e: u64) -> (p: i8, q: u8, r: i32, s: i64, t: u64, v: i8, w: i8) =
  (a + a, b * b, c * c, d + 1, e - 1, -a - 28, abs(a - 28))

# CHECK: p: i8 56
# CHECK: q: u8 144
# CHECK: r: i32 131073
# CHECK: s: i64 -9223372036854775808
# CHECK: t: u64 18446744073709551615
# CHECK: v: i8 72
# CHECK: w: i8 -128
