# Unsigned numbers compare, divide, shift and convert without a sign.
# RUN: arrc run %s --check a=200 b=100 c=18446744073709551615 | FileCheck %s
export def f(a: u8, b: u8, c: u64) -> (lt: bool, m: u8, s: u8, x: f32, i: int, q: u64) =
  (a < b, max(a, b), shr(a, 4), f32(a), int(a), c // 10)

# CHECK: lt: bool false
# CHECK: m: u8 200
# CHECK: s: u8 12
# CHECK: x: f32 200
# CHECK: i: i64 200
# CHECK: q: u64 1844674407370955161
