# What is open takes the type that the arguments which are not give a function,
# arrays too; only where all are open they decide by themselves.
# RUN: arrc run %s --check i=3 x=0.1 'a=[5, 6]' | FileCheck %s
def last[T: num](x: T, c: T[k]) -> T where k >= 1 = x * c[k - 1]
def near[T: float](x: T, c: T[k]) -> T where k >= 1 = x * c[0]
def both[T: num](x: T, y: T) -> T = x + y
export def f(i: i32, x: f64, a: i32[n]) -> (p: f64, q: i32, r: f64, s: i32, t: f32, u: f32, v: int, w: f32, y: c64, z: f32)
    where n >= 1 =
  (last(x, [1.0, 2.0, 0.3]), last(i, [1, 2]), last(x, zeros(3)), last(2, a), last(i, [1.5]), both(i, 0.5),
   last(2, [3, 4]), last(0.5, [3, 5]), last(2.0j, [1, 2]), near(i, [2, 3]))

# CHECK: p: f64 0.03
# CHECK-NEXT: q: i32 6
# CHECK-NEXT: r: f64 0
# CHECK-NEXT: s: i32 12
# CHECK-NEXT: t: f32 4.5
# CHECK-NEXT: u: f32 3.5
# CHECK-NEXT: v: i64 8
# CHECK-NEXT: w: f32 2.5
# CHECK-NEXT: y: c64 (0, 4)
# CHECK-NEXT: z: f32 6
