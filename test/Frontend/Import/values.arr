# The corners of the operators, as the language page has them.
# RUN: arrc run %s --entry ints x=-7 y=2 | FileCheck %s --check-prefix=INTS
# RUN: arrc run %s --entry ints x=-9223372036854775808 y=-1 | FileCheck %s --check-prefix=LEAST
# RUN: arrc run %s --entry floats x=-7.5 y=2.0 | FileCheck %s --check-prefix=FLOATS
# RUN: arrc run %s --entry floats x=7.5 y=-2.0 | FileCheck %s --check-prefix=NEGATIVE
# RUN: arrc run %s --entry casts x=1e30 | FileCheck %s --check-prefix=BIG
# RUN: arrc run %s --entry casts x=-1e30 | FileCheck %s --check-prefix=SMALL
# RUN: arrc run %s --entry casts x=nan | FileCheck %s --check-prefix=NAN
# RUN: arrc run %s --entry casts x=-2.9 | FileCheck %s --check-prefix=ZERO
# RUN: arrc run %s --entry shifts x=-8 k=1 | FileCheck %s --check-prefix=NEAR
# RUN: arrc run %s --entry shifts x=-8 k=200 | FileCheck %s --check-prefix=FAR
# RUN: arrc run %s --entry powers x=3 k=5 | FileCheck %s --check-prefix=POWERS
# RUN: not arrc run %s --entry powers x=3 k=-1 2>&1 | FileCheck %s --check-prefix=EXPONENT
# RUN: not arrc run %s --entry ints x=1 y=0 2>&1 | FileCheck %s --check-prefix=DIVIDE
# RUN: arrc run %s --entry sorts 'a=[3, 1, nan, 1, -2]' | FileCheck %s --check-prefix=SORTS
# RUN: arrc run %s --entry random | FileCheck %s --check-prefix=RANDOM

# INTS: q: i64 -4
# INTS-NEXT: r: i64 1
# LEAST: q: i64 -9223372036854775808
# LEAST-NEXT: r: i64 0
# DIVIDE: values.arr:[[@LINE+1]]:{{.*}}division by zero
export def ints(x: int, y: int) -> (q: int, r: int) = (x // y, x % y)

# FLOATS: q: f32 -4
# FLOATS-NEXT: r: f32 0.5
# NEGATIVE: q: f32 -4
# NEGATIVE-NEXT: r: f32 -0.5
export def floats(x: f32, y: f32) -> (q: f32, r: f32) = (x // y, x % y)

# BIG: a: i64 9223372036854775807
# BIG-NEXT: b: i8 127
# BIG-NEXT: c: u8 255
# SMALL: a: i64 -9223372036854775808
# SMALL-NEXT: b: i8 -128
# SMALL-NEXT: c: u8 0
# NAN: a: i64 0
# NAN-NEXT: b: i8 0
# NAN-NEXT: c: u8 0
# ZERO: a: i64 -2
# ZERO-NEXT: b: i8 -2
# ZERO-NEXT: c: u8 0
export def casts(x: f32) -> (a: int, b: i8, c: u8) = (int(x), i8(x), u8(x))

# NEAR: a: i64 -16
# NEAR-NEXT: b: i64 -4
# NEAR-NEXT: c: u8 124
# FAR: a: i64 0
# FAR-NEXT: b: i64 -1
# FAR-NEXT: c: u8 0
export def shifts(x: int, k: int) -> (a: int, b: int, c: u8) = (shl(x, k), shr(x, k), shr(u8(x), k))

# POWERS: a: i64 243
# POWERS-NEXT: b: i64 9
# POWERS-NEXT: c: f32 0.1111111{{[12]}}
# EXPONENT: values.arr:[[@LINE+1]]:{{.*}}negative exponent -1
export def powers(x: int, k: int) -> (a: int, b: int, c: f32) = (x**k, x**2, f32(x)**-2)

# RANDOM: a: f32 0.9545971
# RANDOM-NEXT: b: f64 0.7501522221031126
# RANDOM-NEXT: c: f32 0.845259
# RANDOM-NEXT: d: f32 0.0451366
# RANDOM-NEXT: e: f32 1.788757
# RANDOM-NEXT: f: f64 0.388680239069
# RANDOM-NEXT: g: i64 750
# RANDOM-NEXT: h: i64 -5
export def random() -> (a: f32, b: f64, c: f32, d: f32, e: f32, f: f64, g: int, h: int) {
  (uniform(7, 0), uniform(7, 0), uniform(7, 5, 9, 2), uniform(7, 5, 9, 2, 4), normal(7, 2),
   normal(7, 1), randint(7, 0, hi = 1000), randint(7, 1, lo = -5, hi = 5))
}

# SORTS: s: f32[5] [-2, 1, 1, 3, nan]
# SORTS-NEXT: b: i64[5] [4, 1, 3, 0, 2]
# SORTS-NEXT: c: f32[5] [3, 1, 1, -2, nan]
export def sorts(a: f32[n]) -> (s: f32[n], b: int[n], c: f32[n]) = (sort(a), argsort(a), sort(a, by = fn(x) => -x))
