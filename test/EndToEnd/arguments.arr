# Named arguments, defaults, defaults of exports.
# RUN: arrc run %s --check  | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check a=1 b=3.0 | FileCheck %s --check-prefix=R2
def f(x: int, k: int = 10, s: int = 1) -> int = x * k + s
export def main(a: int = 4, b: f32 = 0.5) -> (p: int, q: int, r: int, b2: f32) = (f(a), f(a, s = 7), f(k = 2, x = a), 2.0 * b)

# R1: p: i64 41
# R1: q: i64 47
# R1: r: i64 9
# R1: b2: f32 1
# R2: p: i64 11
# R2: q: i64 17
# R2: r: i64 3
# R2: b2: f32 6
