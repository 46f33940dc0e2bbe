# Bit operations; shifts as if infinitely wide.
# RUN: arrc run %s --check --entry f a=12 b=10 k=2 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f a=-12 b=10 k=9 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry g a=144 k=1 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry g a=0 k=200 | FileCheck %s --check-prefix=R4
export def f(a: i8, b: i8, k: i8) -> (x: i8, y: i8, z: i8, w: i8, l: i8, r: i8) =
  (bitand(a, b), bitor(a, b), bitxor(a, b), bitnot(a), shl(a, k), shr(a, k))
export def g(a: u8, k: u8) -> (l: u8, r: u8, p: int, c: int, t: int) = (shl(a, k), shr(a, k), popcount(a), clz(a), ctz(a))

# R1: x: i8 8
# R1: y: i8 14
# R1: z: i8 6
# R1: w: i8 -13
# R1: l: i8 48
# R1: r: i8 3
# R2: l: i8 0
# R2: r: i8 -1
# R3: l: u8 32
# R3: r: u8 72
# R3: p: i64 2
# R3: c: i64 0
# R3: t: i64 4
# R4: l: u8 0
# R4: r: u8 0
# R4: p: i64 0
# R4: c: i64 8
# R4: t: i64 8
