# Floor and remainder with the sign of the divisor; the least integer.
# RUN: arrc run %s --check --entry f 'a=[7, -7, 7, -7, 6, -6]' 'b=[2, 2, -2, -2, 3, -3]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[-9223372036854775808]' 'b=[-1]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry small a=-128 b=-1 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry unsigned 'a=[200, 7]' 'b=[7, 200]' | FileCheck %s --check-prefix=R4
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1, 2]' 'b=[1, 0]' 2>&1 | FileCheck %s --check-prefix=R5
export def f(a: int[n], b: int[n]) -> (q: int[n], r: int[n]) = (a // b, a % b)
export def small(a: i8, b: i8) -> (q: i8, r: i8) = (a // b, a % b)
export def unsigned(a: u8[n], b: u8[n]) -> (q: u8[n], r: u8[n]) = (a // b, a % b)

# R1: q: i64[6] [3, -4, -4, 3, 2, 2]
# R1: r: i64[6] [1, 1, -1, -1, 0, 0]
# R2: q: i64[1] [-9223372036854775808]
# R2: r: i64[1] [0]
# R3: q: i8 -128
# R3: r: i8 0
# R4: q: u8[2] [28, 0]
# R4: r: u8[2] [4, 7]
# R5: integer-division.arr:
