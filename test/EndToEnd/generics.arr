# One function for several types; the type converts.
# RUN: arrc run %s --check 'a=[3, 4]' 'b=[1.5, 2.0]' 'c=[true, false]' | FileCheck %s
def twice[T: num](x: T) -> T = x + x
def dot[T: num](a: T[n], b: T[n]) -> T = sum(a * b)
def second[T](a: T[n]) -> T where n >= 2 = a[1]
def third[T: float](x: T) -> T = x / T(3)
export def f(a: int[n], b: f32[n], c: bool[n]) -> (x: int, y: f32, z: int, w: bool, v: f64) where n >= 2 =
  (twice(a[0]), twice(b[0]), dot(a, a), second(c), third(f64(a[0])))

# CHECK: x: i64 6
# CHECK: y: f32 3
# CHECK: z: i64 25
# CHECK: w: bool false
# CHECK: v: f64 1
