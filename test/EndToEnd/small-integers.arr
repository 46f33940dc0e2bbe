# i8, i16, u16, u32 arrays; sums of them are int.
# RUN: arrc run %s --check 'a=[100, 100, -50]' 'b=[60000, 60000, 1]' 'c=[4294967295, 1, 2]' | FileCheck %s
export def f(a: i8[n], b: u16[n], c: u32[n]) -> (s: int, t: int, m: u16, d: i16[n], e: u32[n]) =
  (sum(a), sum(b), max(b), i16(a) * 300, c + c)

# CHECK: s: i64 150
# CHECK: t: i64 120001
# CHECK: m: u16 60000
# CHECK: d: i16[3] [30000, 30000, -15000]
# CHECK: e: u32[3] [4294967294, 2, 4]
