# Division by constants, negative ones too.
# RUN: arrc run %s --check 'a=[9, -9, 0, -1]' | FileCheck %s
export def f(a: int[n]) -> (p: int[n], q: int[n], r: int[n], s: int[n]) = (a // 4, a % 4, a // -3, a % -3)

# CHECK: p: i64[4] [2, -3, 0, -1]
# CHECK: q: i64[4] [1, 3, 0, 3]
# CHECK: r: i64[4] [-3, 3, 0, 0]
# CHECK: s: i64[4] [0, 0, 0, -1]
