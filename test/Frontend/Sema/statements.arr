# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Statements, `var` and conditions.
def outer_var(a: f32[n]) -> f32 {
  var s: f32 = 0.0
  let b = for i {
    s += a[i]
    s
  }
  s + b[0]
}
def fixed_let(n: int) -> int {
  let k = 1 + n
  k = 2
  k
}
def parameter(a: f32[n]) -> f32[n] {
  a[0] = 1.0
  a
}
def array_condition(a: f32[n]) -> f32 {
  if a > 0.0 { 1.0 } else { 0.0 }
}
def no_else(a: f32) -> f32 {
  if a > 0.0 { a }
}
def unused_value(a: f32) -> f32 {
  a + 1.0
  a
}
def no_value(a: f32[n]) -> f32 {
  let s = sum(a)
}
def int_condition(n: int) -> int {
  var k = n
  while k { k -= 1 }
  k
}
def pattern(a: f32[n]) -> f32 {
  let (x, y) = (a[0], a[1], a[2])
  x + y
}
def no_var(n: int) -> int {
  total = 0
  n
}
def assigned_type(n: int) -> f32 {
  var x: f32 = 0.0
  x = f64(n)
  x
}
def function_value(a: f32) -> f32 {
  var f = sqrt
  f(a)
}


# CHECK: error[E0245]: 's' cannot be assigned in here
# CHECK-NEXT:  --> {{.*}}statements.arr:6:5
# CHECK-NEXT:   |
# CHECK-NEXT: 4 |   var s: f32 = 0.0
# CHECK-NEXT:   |       - 's' is declared outside
# CHECK-NEXT: 6 |     s += a[i]
# CHECK-NEXT:   |     ^ this body runs for all indices at once
# CHECK-NEXT: help: {{.*}}

# CHECK: error[E0244]: 'k' cannot be assigned
# CHECK-NEXT:   --> {{.*}}statements.arr:13:3
# CHECK-NEXT:    |
# CHECK-NEXT: 12 |   let k = 1 + n
# CHECK-NEXT:    |       - 'k' is fixed here
# CHECK-NEXT: 13 |   k = 2
# CHECK-NEXT:    |   ^
# CHECK-NEXT: help: declare it with 'var'

# CHECK: error[E0244]: 'a' cannot be assigned
# CHECK-NEXT:   --> {{.*}}statements.arr:17:3
# CHECK-NEXT:    |
# CHECK-NEXT: 16 | def parameter(a: f32[n]) -> f32[n] {
# CHECK-NEXT:    |               - 'a' is fixed here
# CHECK-NEXT: 17 |   a[0] = 1.0
# CHECK-NEXT:    |   ^
# CHECK-NEXT: help: parameters are fixed: assign to a copy, as in 'var v = a'

# CHECK: error[E0239]: a condition is a bool, not bool[n]
# CHECK-NEXT:   --> {{.*}}statements.arr:21:6
# CHECK-NEXT:    |
# CHECK-NEXT: 21 |   if a > 0.0 { 1.0 } else { 0.0 }
# CHECK-NEXT:    |      ^^^^^^^
# CHECK-NEXT: help: say 'any(..)' or 'all(..)'

# CHECK: error[E0242]: an 'if' without 'else' has no value
# CHECK-NEXT:   --> {{.*}}statements.arr:24:3
# CHECK-NEXT:    |
# CHECK-NEXT: 24 |   if a > 0.0 { a }
# CHECK-NEXT:    |   ^^^^^^^^^^^^^^^^
# CHECK-NEXT: help: give it an 'else', or make it a statement

# CHECK: error[E0241]: this value is not used
# CHECK-NEXT:   --> {{.*}}statements.arr:27:3
# CHECK-NEXT:    |
# CHECK-NEXT: 27 |   a + 1.0
# CHECK-NEXT:    |   ^^^^^^^
# CHECK-NEXT: help: bind it with 'let', or take it away

# CHECK: error[E0240]: this block must end with a value
# CHECK-NEXT:   --> {{.*}}statements.arr:31:3
# CHECK-NEXT:    |
# CHECK-NEXT: 31 |   let s = sum(a)
# CHECK-NEXT:    |   ^^^^^^^^^^^^^^
# CHECK-NEXT: help: end the block with an expression

# CHECK: error[E0239]: a condition is a bool, not int
# CHECK-NEXT:   --> {{.*}}statements.arr:35:9
# CHECK-NEXT:    |
# CHECK-NEXT: 35 |   while k { k -= 1 }
# CHECK-NEXT:    |         ^
# CHECK-NEXT: help: compare it, as in '.. != 0'

# CHECK: error[E0246]: 2 names cannot take apart (f32, f32, f32)
# CHECK-NEXT:   --> {{.*}}statements.arr:39:7
# CHECK-NEXT:    |
# CHECK-NEXT: 39 |   let (x, y) = (a[0], a[1], a[2])
# CHECK-NEXT:    |       ^^^^^^

# CHECK: error[E0200]: 'total' is not declared
# CHECK-NEXT:   --> {{.*}}statements.arr:43:3
# CHECK-NEXT:    |
# CHECK-NEXT: 43 |   total = 0
# CHECK-NEXT:    |   ^^^^^
# CHECK-NEXT: help: a new name begins with 'let' or 'var'; or did you mean 'iota'?

# CHECK: error[E0216]: what is assigned to 'x' is f32, but this is f64
# CHECK-NEXT:   --> {{.*}}statements.arr:48:7
# CHECK-NEXT:    |
# CHECK-NEXT: 47 |   var x: f32 = 0.0
# CHECK-NEXT:    |       - declared here
# CHECK-NEXT: 48 |   x = f64(n)
# CHECK-NEXT:    |       ^^^^^^
# CHECK-NEXT: help: write the conversion: 'f32(..)'

# CHECK: error[E0247]: a function cannot be a 'var'
# CHECK-NEXT:   --> {{.*}}statements.arr:52:11
# CHECK-NEXT:    |
# CHECK-NEXT: 52 |   var f = sqrt
# CHECK-NEXT:    |           ^^^^
