# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Literals and arguments that are of the wrong kind are blamed themselves.
def range() -> int = sum for i in 18446744073709551615 { i }
def step(n: int) -> int = sum for i in 0:n:18446744073709551615 { i }
def slice(x: f32[n]) -> f32[?] = x[0:18446744073709551615]
def array() -> f32[?] = zeros(9223372036854775808)
struct Row { x: f32[1 + 18446744073709551615] }
def half() -> f16 = 70000
def part(z: c64) -> f32 = z
def parts(z: c64[n]) -> f32[n] = z
def wider(z: c64, d: f64) -> c128 = d + z
def bits(a: int) -> int = bitand(a, 1.0)
def largest(a: f32, z: c64) -> f32 = max(a, z)
def made(a: f32, z: c64) -> c64 = complex(a, z)
def index() -> int {
  var s = 0
  loop k in 10 {
    k += 1
    s += k
  }
  s
}


# CHECK: error[E0219]: 18446744073709551615 does not fit int
# CHECK-NEXT:  --> {{.*}}literals.arr:3:35
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def range() -> int = sum for i in 18446744073709551615 { i }
# CHECK-NEXT:   |                                   ^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0219]: 18446744073709551615 does not fit int
# CHECK-NEXT:  --> {{.*}}literals.arr:4:44
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def step(n: int) -> int = sum for i in 0:n:18446744073709551615 { i }
# CHECK-NEXT:   |                                            ^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0219]: 18446744073709551615 does not fit int
# CHECK-NEXT:  --> {{.*}}literals.arr:5:38
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def slice(x: f32[n]) -> f32[?] = x[0:18446744073709551615]
# CHECK-NEXT:   |                                      ^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0219]: 9223372036854775808 does not fit int
# CHECK-NEXT:  --> {{.*}}literals.arr:6:31
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def array() -> f32[?] = zeros(9223372036854775808)
# CHECK-NEXT:   |                               ^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0219]: 18446744073709551615 does not fit int
# CHECK-NEXT:  --> {{.*}}literals.arr:7:25
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | struct Row { x: f32[1 + 18446744073709551615] }
# CHECK-NEXT:   |                         ^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0219]: 70000 does not fit f16
# CHECK-NEXT:  --> {{.*}}literals.arr:8:21
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def half() -> f16 = 70000
# CHECK-NEXT:   |                     ^^^^^

# CHECK: error[E0216]: the result is f32, but this is c64
# CHECK-NEXT:  --> {{.*}}literals.arr:9:27
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def part(z: c64) -> f32 = z
# CHECK-NEXT:   |                           ^
# CHECK-NEXT: help: take 're', 'im' or 'abs'

# CHECK: error[E0216]: the result is f32[n], but this is c64[n]
# CHECK-NEXT:   --> {{.*}}literals.arr:10:34
# CHECK-NEXT:    |
# CHECK-NEXT: 10 | def parts(z: c64[n]) -> f32[n] = z
# CHECK-NEXT:    |                                  ^
# CHECK-NEXT: help: take 're', 'im' or 'abs'

# CHECK: error[E0218]: '+': f64 and c64 do not meet
# CHECK-NEXT:   --> {{.*}}literals.arr:11:39
# CHECK-NEXT:    |
# CHECK-NEXT: 11 | def wider(z: c64, d: f64) -> c128 = d + z
# CHECK-NEXT:    |                                       ^
# CHECK-NEXT: help: two float types never mix: convert one side, as in 'c64(..)'

# CHECK: error[E0343]: 'bitand' takes integers, not a float literal
# CHECK-NEXT:   --> {{.*}}literals.arr:12:37
# CHECK-NEXT:    |
# CHECK-NEXT: 12 | def bits(a: int) -> int = bitand(a, 1.0)
# CHECK-NEXT:    |                                     ^^^

# CHECK: error[E0343]: 'max' takes real numbers, not c64
# CHECK-NEXT:   --> {{.*}}literals.arr:13:45
# CHECK-NEXT:    |
# CHECK-NEXT: 13 | def largest(a: f32, z: c64) -> f32 = max(a, z)
# CHECK-NEXT:    |                                             ^

# CHECK: error[E0343]: 'complex' takes two f32 or two f64, not c64
# CHECK-NEXT:   --> {{.*}}literals.arr:14:46
# CHECK-NEXT:    |
# CHECK-NEXT: 14 | def made(a: f32, z: c64) -> c64 = complex(a, z)
# CHECK-NEXT:    |                                              ^

# CHECK: error[E0244]: 'k' cannot be assigned
# CHECK-NEXT:   --> {{.*}}literals.arr:18:5
# CHECK-NEXT:    |
# CHECK-NEXT: 17 |   loop k in 10 {
# CHECK-NEXT:    |        - 'k' is fixed here
# CHECK-NEXT: 18 |     k += 1
# CHECK-NEXT:    |     ^
# CHECK-NEXT: help: an index is fixed: count in a 'var' of your own, in a 'while'
# CHECK-NOT: {{error.*}}
