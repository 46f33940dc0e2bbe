# Shifts by counts wider than the number, and by more than 32 bits can tell.
# RUN: arrc run %s --check 'x=[1, 3, -5, -1]' 'k=[63, 4294967297, 18446744069414584322, 64]' | FileCheck %s
export def shifts(x: i64[n], k: u64[n]) -> (l: i64[n], r: i64[n], ul: u64[n], ur: u64[n], nl: i32[n], nr: i32[n], ur8: u8[n]) =
  (shl(x, k), shr(x, k), shl(u64(x), k), shr(u64(x), k), shl(i32(x), k), shr(i32(x), k), shr(u8(x), k))

# CHECK: l: i64[4] [-9223372036854775808, 0, 0, 0]
# CHECK: r: i64[4] [0, 0, -1, -1]
# CHECK: ul: u64[4] [9223372036854775808, 0, 0, 0]
# CHECK: ur: u64[4] [0, 0, 0, 0]
# CHECK: nl: i32[4] [0, 0, 0, 0]
# CHECK: nr: i32[4] [0, 0, -1, -1]
# CHECK: ur8: u8[4] [0, 0, 0, 0]
