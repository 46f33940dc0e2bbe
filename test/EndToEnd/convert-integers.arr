# The low bits, with and without a sign.
# RUN: arrc run %s --check 'x=[300, -1, 128]' | FileCheck %s
export def f(x: int[n]) -> (a: i8[n], b: u8[n], c: u32[n], d: u64[n], e: int[n]) = (i8(x), u8(x), u32(x), u64(x), int(u8(x)))

# CHECK: a: i8[3] [44, -1, -128]
# CHECK: b: u8[3] [44, 255, 128]
# CHECK: c: u32[3] [300, 4294967295, 128]
# CHECK: d: u64[3] [300, 18446744073709551615, 128]
# CHECK: e: i64[3] [44, 255, 128]
