# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Calls of functions.
def add(a: f32, radius: f32) -> f32 = a + radius
def too_few(a: f32) -> f32 = add(a)
def too_many(a: f32) -> f32 = add(a, a, a)
def misspelt(a: f32) -> f32 = add(a, raduis = 1.0)
def twice(a: f32) -> f32 = add(a, a = 1.0)
def total[T: float](a: T[n]) -> T = sum(a)
def kind(a: int[n]) -> int = total(a)
def zero[T: num]() -> T = T(0)
def not_inferred() -> f32 = zero()
def apply(f: fn(f32) -> f32, x: f32) -> f32 = f(x)
def no_function(x: f32) -> f32 = apply(x, x)
def wrong_arity(x: f32) -> f32 = apply(fn(a, b) => a + b, x)
def integer_floor(n: int) -> int = floor(n)
def shift(x: f32) -> f32 = shl(x, 2)
def array_counter(a: int[n]) -> f32[n] = uniform(1, a)
def no_high() -> int = randint(1, 2)
extern def c_norm(a: f32[n]) -> f32
def in_body(a: f32[n, m]) -> f32[n] = for i { c_norm(a[i]) }
def bad_kind[T: number](x: T) -> T = x
def unordered(a: bool[n]) -> bool[n] = sort(a)


# CHECK: error[E0332]: 'add' is called without 'radius'
# CHECK-NEXT:  --> {{.*}}calls.arr:4:30
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def add(a: f32, radius: f32) -> f32 = a + radius
# CHECK-NEXT:   |                 ----------- 'radius' has no default
# CHECK-NEXT: 4 | def too_few(a: f32) -> f32 = add(a)
# CHECK-NEXT:   |                              ^^^^^^

# CHECK: error[E0331]: 'add' takes 2, not 3 arguments
# CHECK-NEXT:  --> {{.*}}calls.arr:5:31
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def add(a: f32, radius: f32) -> f32 = a + radius
# CHECK-NEXT:   |     --- declared here
# CHECK-NEXT: 5 | def too_many(a: f32) -> f32 = add(a, a, a)
# CHECK-NEXT:   |                               ^^^^^^^^^^^^

# CHECK: error[E0334]: 'add' has no parameter 'raduis'
# CHECK-NEXT:  --> {{.*}}calls.arr:6:38
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def add(a: f32, radius: f32) -> f32 = a + radius
# CHECK-NEXT:   |     --- declared here
# CHECK-NEXT: 6 | def misspelt(a: f32) -> f32 = add(a, raduis = 1.0)
# CHECK-NEXT:   |                                      ^^^^^^
# CHECK-NEXT: help: did you mean 'radius'?

# CHECK: error[E0333]: 'a' is given twice
# CHECK-NEXT:  --> {{.*}}calls.arr:7:39
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def twice(a: f32) -> f32 = add(a, a = 1.0)
# CHECK-NEXT:   |                                       ^^^

# CHECK: error[E0338]: 'T' is a float, but this is int
# CHECK-NEXT:  --> {{.*}}calls.arr:9:30
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def total[T: float](a: T[n]) -> T = sum(a)
# CHECK-NEXT:   |              ----- declared here
# CHECK-NEXT: 9 | def kind(a: int[n]) -> int = total(a)
# CHECK-NEXT:   |                              ^^^^^^^^

# CHECK: error[E0336]: 'T' of 'zero' is not known
# CHECK-NEXT:   --> {{.*}}calls.arr:11:29
# CHECK-NEXT:    |
# CHECK-NEXT: 10 | def zero[T: num]() -> T = T(0)
# CHECK-NEXT:    |          - nothing in the arguments says what 'T' is
# CHECK-NEXT: 11 | def not_inferred() -> f32 = zero()
# CHECK-NEXT:    |                             ^^^^^^

# CHECK: error[E0335]: 'f' is a function, but this is f32
# CHECK-NEXT:   --> {{.*}}calls.arr:13:40
# CHECK-NEXT:    |
# CHECK-NEXT: 13 | def no_function(x: f32) -> f32 = apply(x, x)
# CHECK-NEXT:    |                                        ^
# CHECK-NEXT: help: give a function, a section '(+)' or a lambda

# CHECK: error[E0352]: this function has 2 parameters, but is called with 1 value
# CHECK-NEXT:   --> {{.*}}calls.arr:14:40
# CHECK-NEXT:    |
# CHECK-NEXT: 14 | def wrong_arity(x: f32) -> f32 = apply(fn(a, b) => a + b, x)
# CHECK-NEXT:    |                                        ^^^^^^^^^^^^^^^^^
# CHECK-NEXT: help: write 'fn(a) => ..'

# CHECK: error[E0343]: 'floor' takes a float, not int
# CHECK-NEXT:   --> {{.*}}calls.arr:15:42
# CHECK-NEXT:    |
# CHECK-NEXT: 15 | def integer_floor(n: int) -> int = floor(n)
# CHECK-NEXT:    |                                          ^

# CHECK: error[E0343]: 'shl' takes integers, not f32
# CHECK-NEXT:   --> {{.*}}calls.arr:16:32
# CHECK-NEXT:    |
# CHECK-NEXT: 16 | def shift(x: f32) -> f32 = shl(x, 2)
# CHECK-NEXT:    |                                ^

# CHECK: error[E0343]: 'uniform' takes ints, not int[n]
# CHECK-NEXT:   --> {{.*}}calls.arr:17:53
# CHECK-NEXT:    |
# CHECK-NEXT: 17 | def array_counter(a: int[n]) -> f32[n] = uniform(1, a)
# CHECK-NEXT:    |                                                     ^
# CHECK-NEXT: help: call it in a 'for', with the index as a counter

# CHECK: error[E0332]: 'randint' is called without 'hi'
# CHECK-NEXT:   --> {{.*}}calls.arr:18:24
# CHECK-NEXT:    |
# CHECK-NEXT: 18 | def no_high() -> int = randint(1, 2)
# CHECK-NEXT:    |                        ^^^^^^^^^^^^^
# CHECK-NEXT: help: write 'randint(key, i, hi = n)'

# CHECK: error[E0350]: the extern function 'c_norm' is called in the body of a 'for'
# CHECK-NEXT:   --> {{.*}}calls.arr:20:47
# CHECK-NEXT:    |
# CHECK-NEXT: 20 | def in_body(a: f32[n, m]) -> f32[n] = for i { c_norm(a[i]) }
# CHECK-NEXT:    |                                               ^^^^^^^^^^^^
# CHECK-NEXT: help: call it outside of 'for' bodies

# CHECK: error[E0339]: there is no kind 'number'
# CHECK-NEXT:   --> {{.*}}calls.arr:21:17
# CHECK-NEXT:    |
# CHECK-NEXT: 21 | def bad_kind[T: number](x: T) -> T = x
# CHECK-NEXT:    |                 ^^^^^^
# CHECK-NEXT: help: kinds are num, real, float and integer

# CHECK: error[E0346]: bool has no order
# CHECK-NEXT:   --> {{.*}}calls.arr:22:40
# CHECK-NEXT:    |
# CHECK-NEXT: 22 | def unordered(a: bool[n]) -> bool[n] = sort(a)
# CHECK-NEXT:    |                                        ^^^^^^^
# CHECK-NEXT: help: give the key: 'by = fn(x) => x.h'
