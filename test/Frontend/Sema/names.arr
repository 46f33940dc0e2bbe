# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Names that are not there, or there already.
const A = B + 1
const B = A + 1
const C = 1
const C = 2
def int(x: f32) -> f32 = x
def unknown(x: f32[n]) -> f32[n] = sqr(x)
def other(x: f32[n]) -> f32 = sum(values)
def shadow(t0: f32[n]) -> f32[n] {
  var t = t0
  loop k in 3 {
    let t = for i { t[i] + 1.0 }
  }
  t
}
def size_hides(a: f32[n]) -> int {
  let n = 3
  n
}
def two_causes(a: f32[n]) -> f32 {
  let x = foo + 1.0
  let y = x * 2.0
  let z = bar
  y + z
}
def even(n: int) -> bool = if n == 0 { true } else { odd(n - 1) }
def odd(n: int) -> bool = if n == 0 { false } else { even(n - 1) }
def bad_type(a: float[n]) -> f32 = 1.0
def as_type(a: C[n]) -> f32 = 1.0
def type_as_value(a: f32) -> f32 = f32 + a


# CHECK: error[E0202]: 'C' is declared twice
# CHECK-NEXT:  --> {{.*}}names.arr:6:7
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | const C = 1
# CHECK-NEXT:   |       - first declared here
# CHECK-NEXT: 6 | const C = 2
# CHECK-NEXT:   |       ^

# CHECK: error[E0203]: 'int' is a built-in type
# CHECK-NEXT:  --> {{.*}}names.arr:7:5
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def int(x: f32) -> f32 = x
# CHECK-NEXT:   |     ^^^

# CHECK: error[E0251]: the constant 'A' depends on itself
# CHECK-NEXT:  --> {{.*}}names.arr:3:7
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | const A = B + 1
# CHECK-NEXT:   |       ^

# CHECK: error[E0200]: 'sqr' is not declared
# CHECK-NEXT:  --> {{.*}}names.arr:8:36
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def unknown(x: f32[n]) -> f32[n] = sqr(x)
# CHECK-NEXT:   |                                    ^^^
# CHECK-NEXT: help: did you mean 'sqrt'?

# CHECK: error[E0200]: 'values' is not declared
# CHECK-NEXT:  --> {{.*}}names.arr:9:35
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def other(x: f32[n]) -> f32 = sum(values)
# CHECK-NEXT:   |                                   ^^^^^^

# CHECK: error[E0201]: 't' is declared already
# CHECK-NEXT:   --> {{.*}}names.arr:13:9
# CHECK-NEXT:    |
# CHECK-NEXT: 11 |   var t = t0
# CHECK-NEXT:    |       - 't' is declared here
# CHECK-NEXT: 13 |     let t = for i { t[i] + 1.0 }
# CHECK-NEXT:    |         ^
# CHECK-NEXT: help: to change it, leave out 'let': 't = ..'

# CHECK: error[E0201]: 'n' is declared already
# CHECK-NEXT:   --> {{.*}}names.arr:18:7
# CHECK-NEXT:    |
# CHECK-NEXT: 17 | def size_hides(a: f32[n]) -> int {
# CHECK-NEXT:    |                       - 'n' is declared here
# CHECK-NEXT: 18 |   let n = 3
# CHECK-NEXT:    |       ^
# CHECK-NEXT: help: a local name never hides another one: choose a new name

# CHECK: error[E0200]: 'foo' is not declared
# CHECK-NEXT:   --> {{.*}}names.arr:22:11
# CHECK-NEXT:    |
# CHECK-NEXT: 22 |   let x = foo + 1.0
# CHECK-NEXT:    |           ^^^

# CHECK: error[E0200]: 'bar' is not declared
# CHECK-NEXT:   --> {{.*}}names.arr:24:11
# CHECK-NEXT:    |
# CHECK-NEXT: 24 |   let z = bar
# CHECK-NEXT:    |           ^^^

# CHECK: error[E0209]: 'even' calls itself
# CHECK-NEXT:   --> {{.*}}names.arr:28:54
# CHECK-NEXT:    |
# CHECK-NEXT: 27 | def even(n: int) -> bool = if n == 0 { true } else { odd(n - 1) }
# CHECK-NEXT:    |     ---- declared here
# CHECK-NEXT: 28 | def odd(n: int) -> bool = if n == 0 { false } else { even(n - 1) }
# CHECK-NEXT:    |                                                      ^^^^^^^^^^^
# CHECK-NEXT: help: functions cannot call themselves, directly or not: write a 'while' or a 'loop'

# CHECK: error[E0210]: there is no type 'float'
# CHECK-NEXT:   --> {{.*}}names.arr:29:17
# CHECK-NEXT:    |
# CHECK-NEXT: 29 | def bad_type(a: float[n]) -> f32 = 1.0
# CHECK-NEXT:    |                 ^^^^^
# CHECK-NEXT: help: write 'f32' (C's float, NumPy's float32) or 'f64' (Python's)

# CHECK: error[E0211]: 'C' is not a type
# CHECK-NEXT:   --> {{.*}}names.arr:30:16
# CHECK-NEXT:    |
# CHECK-NEXT: 30 | def as_type(a: C[n]) -> f32 = 1.0
# CHECK-NEXT:    |                ^

# CHECK: error[E0205]: 'f32' is a type, not a value
# CHECK-NEXT:   --> {{.*}}names.arr:31:36
# CHECK-NEXT:    |
# CHECK-NEXT: 31 | def type_as_value(a: f32) -> f32 = f32 + a
# CHECK-NEXT:    |                                    ^^^
