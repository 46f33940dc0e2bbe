# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Types that do not meet or convert.
struct Point { x: f32, y: f32 }
def mix_arrays(a: f32[n], b: f64[n]) -> f64[n] = a + b
def mix_scalars(a: f32, b: f64) -> f64 = a * b
def narrow(n: int) -> i32 = n
def too_large() -> u8 = 300
def negative() -> u32 = -1
def fraction(n: int) -> int = n + 0.5
def signs(a: i32, b: u32) -> i32 = a + b
def bool_sum(a: f32) -> f32 = a + (a > 0.0)
def integer_division(n: int) -> int = n / 2
def by_zero(n: int) -> int = n // 0
def power(n: int) -> int = n ** -1
def array_converts(a: int[n]) -> f32[n] = a
def on_struct(p: Point) -> Point = p + p
def complex_order(z: c64) -> bool = z < z
def complex_part(z: c64) -> f32 = f32(z)
def not_int(a: f32) -> bool = not a
def field_type(a: f64) -> f32 = Point(a, 1.0).x
def no_field(ps: Point[n]) -> f32 = sum(ps.z)
def rows() -> f32[2, 2] = [[1.0, 2.0], [3.0]]
def tuple_part(a: (f32, int)) -> f32 = a.2


# CHECK: error[E0218]: '+': f32[n] and f64[n] do not meet
# CHECK-NEXT:  --> {{.*}}types.arr:4:52
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def mix_arrays(a: f32[n], b: f64[n]) -> f64[n] = a + b
# CHECK-NEXT:   |                                                    ^
# CHECK-NEXT: help: two float types never mix: convert one side, as in 'f32(..)'

# CHECK: error[E0218]: '*': f32 and f64 do not meet
# CHECK-NEXT:  --> {{.*}}types.arr:5:44
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def mix_scalars(a: f32, b: f64) -> f64 = a * b
# CHECK-NEXT:   |                                            ^
# CHECK-NEXT: help: two float types never mix: convert one side, as in 'f32(..)'

# CHECK: error[E0216]: the result is i32, but this is int
# CHECK-NEXT:  --> {{.*}}types.arr:6:29
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def narrow(n: int) -> i32 = n
# CHECK-NEXT:   |                             ^
# CHECK-NEXT: help: write the conversion: 'i32(..)'

# CHECK: error[E0219]: 300 does not fit u8
# CHECK-NEXT:  --> {{.*}}types.arr:7:25
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def too_large() -> u8 = 300
# CHECK-NEXT:   |                         ^^^

# CHECK: error[E0219]: -1 does not fit u32
# CHECK-NEXT:  --> {{.*}}types.arr:8:25
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def negative() -> u32 = -1
# CHECK-NEXT:   |                         ^^

# CHECK: error[E0216]: the result is int, but this is a float literal
# CHECK-NEXT:  --> {{.*}}types.arr:9:31
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def fraction(n: int) -> int = n + 0.5
# CHECK-NEXT:   |                               ^^^^^^^

# CHECK: error[E0218]: '+': i32 and u32 do not meet
# CHECK-NEXT:   --> {{.*}}types.arr:10:38
# CHECK-NEXT:    |
# CHECK-NEXT: 10 | def signs(a: i32, b: u32) -> i32 = a + b
# CHECK-NEXT:    |                                      ^
# CHECK-NEXT: help: convert one side, as in 'i32(..)'

# CHECK: error[E0218]: '+': f32 and bool do not meet
# CHECK-NEXT:   --> {{.*}}types.arr:11:33
# CHECK-NEXT:    |
# CHECK-NEXT: 11 | def bool_sum(a: f32) -> f32 = a + (a > 0.0)
# CHECK-NEXT:    |                                 ^
# CHECK-NEXT: help: convert the bool, as in 'f32(b)', or compare the number

# CHECK: error[E0230]: '/' does not divide two integers
# CHECK-NEXT:   --> {{.*}}types.arr:12:41
# CHECK-NEXT:    |
# CHECK-NEXT: 12 | def integer_division(n: int) -> int = n / 2
# CHECK-NEXT:    |                                         ^
# CHECK-NEXT: help: write 'n / 2.0' for a float, 'n // 2' for an integer, rounded down

# CHECK: error[E0236]: division by zero
# CHECK-NEXT:   --> {{.*}}types.arr:13:32
# CHECK-NEXT:    |
# CHECK-NEXT: 13 | def by_zero(n: int) -> int = n // 0
# CHECK-NEXT:    |                                ^^

# CHECK: error[E0235]: an integer has no negative power
# CHECK-NEXT:   --> {{.*}}types.arr:14:30
# CHECK-NEXT:    |
# CHECK-NEXT: 14 | def power(n: int) -> int = n ** -1
# CHECK-NEXT:    |                              ^^
# CHECK-NEXT: help: the base is an integer: write it as a float

# CHECK: error[E0216]: the result is f32[n], but this is int[n]
# CHECK-NEXT:   --> {{.*}}types.arr:15:43
# CHECK-NEXT:    |
# CHECK-NEXT: 15 | def array_converts(a: int[n]) -> f32[n] = a
# CHECK-NEXT:    |                                           ^
# CHECK-NEXT: help: arrays convert by a call: 'f32(..)'

# CHECK: error[E0231]: '+' is not defined on Point
# CHECK-NEXT:   --> {{.*}}types.arr:16:38
# CHECK-NEXT:    |
# CHECK-NEXT: 16 | def on_struct(p: Point) -> Point = p + p
# CHECK-NEXT:    |                                      ^

# CHECK: error[E0234]: '<' is not defined on complex numbers
# CHECK-NEXT:   --> {{.*}}types.arr:17:39
# CHECK-NEXT:    |
# CHECK-NEXT: 17 | def complex_order(z: c64) -> bool = z < z
# CHECK-NEXT:    |                                       ^

# CHECK: error[E0222]: a complex number does not convert to f32
# CHECK-NEXT:   --> {{.*}}types.arr:18:35
# CHECK-NEXT:    |
# CHECK-NEXT: 18 | def complex_part(z: c64) -> f32 = f32(z)
# CHECK-NEXT:    |                                   ^^^^^^
# CHECK-NEXT: help: take 're', 'im' or 'abs'

# CHECK: error[E0232]: 'not' needs bools, not f32
# CHECK-NEXT:   --> {{.*}}types.arr:19:31
# CHECK-NEXT:    |
# CHECK-NEXT: 19 | def not_int(a: f32) -> bool = not a
# CHECK-NEXT:    |                               ^^^^^

# CHECK: error[E0216]: the field 'x' is f32, but this is f64
# CHECK-NEXT:   --> {{.*}}types.arr:20:39
# CHECK-NEXT:    |
# CHECK-NEXT: 20 | def field_type(a: f64) -> f32 = Point(a, 1.0).x
# CHECK-NEXT:    |                                       ^
# CHECK-NEXT: help: write the conversion: 'f32(..)'

# CHECK: error[E0228]: 'Point' has no field 'z'
# CHECK-NEXT:   --> {{.*}}types.arr:21:44
# CHECK-NEXT:    |
# CHECK-NEXT:  3 | struct Point { x: f32, y: f32 }
# CHECK-NEXT:    |        ----- declared here
# CHECK-NEXT: 21 | def no_field(ps: Point[n]) -> f32 = sum(ps.z)
# CHECK-NEXT:    |                                            ^
# CHECK-NEXT: help: did you mean 'x'?

# CHECK: error[E0217]: the sizes of '[1.0, 2.0]' and '[3.0]' differ
# CHECK-NEXT:   --> {{.*}}types.arr:22:40
# CHECK-NEXT:    |
# CHECK-NEXT: 22 | def rows() -> f32[2, 2] = {{\[\[}}1.0, 2.0], [3.0]]
# CHECK-NEXT:    |                            ---------- '[1.0, 2.0]' is 2
# CHECK-NEXT:    |                                        ^^^^^ an array of arrays needs equal sizes, or a scalar
# CHECK-NEXT:    |                                        ----- '[3.0]' is 1

# CHECK: error[E0229]: (f32, int) has no component 2
# CHECK-NEXT:   --> {{.*}}types.arr:23:42
# CHECK-NEXT:    |
# CHECK-NEXT: 23 | def tuple_part(a: (f32, int)) -> f32 = a.2
# CHECK-NEXT:    |                                          ^
