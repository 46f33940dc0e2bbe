# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# `sum for` and its kin.
def bools(a: f32[n]) -> int = sum for i { a[i] > 0.0 }
def minus(a: f32[n]) -> f32 = reduce((-), 0.0, a)
def axis(a: f32[n, m]) -> f32[n, m] = scan((+), a)
def bad_axis(a: f32[n, m]) -> f32[n] = sum(a, axis = 2)
def scan_two(a: f32[n, m]) -> f32[n, m] = scan((+)) for i, j { a[i, j] }
def scan_if(a: f32[n]) -> f32[n] = scan((+)) for i if a[i] > 0.0 { a[i] }
def of_scalar(a: f32) -> f32 = sum(a)
def bins(a: int[n]) -> int[3] = hist((+), 0) for i { (a[i], 1) }
def pair(a: int[n]) -> int[3] = hist((+), 0, 3) for i { a[i] }
def two_bins(a: int[n]) -> int[3] = hist((+), 0, 3) for i { ((a[i], a[i]), 1) }
def oob(a: int[n]) -> int[3] = hist((+), 0, 3, oob = keep) for i { (a[i], 1) }
def no_operator(a: f32[n]) -> f32 = reduce(1.0, 0.0, a)
def neutral(a: f32[n]) -> f32 = reduce((+), false, a)
def logical(a: f32[n]) -> f32 = reduce((or), 0.0, a)
def call_form(a: int[n]) -> int[3] = hist((+), 0, 3)
def largest(a: c64[n]) -> c64 = max for i { a[i] }
def stencil_sum(a: f32[n]) -> f32 = sum stencil i { a[i] }


# CHECK: error[E0310]: 'sum' needs numbers, not bool
# CHECK-NEXT:  --> {{.*}}combinators.arr:3:43
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def bools(a: f32[n]) -> int = sum for i { a[i] > 0.0 }
# CHECK-NEXT:   |                                           ^^^^^^^^^^
# CHECK-NEXT: help: 'count' counts what is true

# CHECK: error[E0313]: (-) is not associative
# CHECK-NEXT:  --> {{.*}}combinators.arr:4:38
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def minus(a: f32[n]) -> f32 = reduce((-), 0.0, a)
# CHECK-NEXT:   |                                      ^^^ the order of combining is free, so '-' has no one result
# CHECK-NEXT: help: a fold in order is a 'loop'

# CHECK: error[E0324]: 'scan' needs an axis for more than one dimension
# CHECK-NEXT:  --> {{.*}}combinators.arr:5:39
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def axis(a: f32[n, m]) -> f32[n, m] = scan((+), a)
# CHECK-NEXT:   |                                       ^^^^^^^^^^^^
# CHECK-NEXT: help: add 'axis = 0'

# CHECK: error[E0322]: this is no axis of an array of 2 dimensions
# CHECK-NEXT:  --> {{.*}}combinators.arr:6:54
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def bad_axis(a: f32[n, m]) -> f32[n] = sum(a, axis = 2)
# CHECK-NEXT:   |                                                      ^
# CHECK-NEXT: help: an axis is a constant from 0 to 1

# CHECK: error[E0317]: 'scan' has one index and no condition
# CHECK-NEXT:  --> {{.*}}combinators.arr:7:43
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def scan_two(a: f32[n, m]) -> f32[n, m] = scan((+)) for i, j { a[i, j] }
# CHECK-NEXT:   |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0317]: 'scan' has one index and no condition
# CHECK-NEXT:  --> {{.*}}combinators.arr:8:36
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def scan_if(a: f32[n]) -> f32[n] = scan((+)) for i if a[i] > 0.0 { a[i] }
# CHECK-NEXT:   |                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0340]: 'sum' needs an array, not f32
# CHECK-NEXT:  --> {{.*}}combinators.arr:9:36
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def of_scalar(a: f32) -> f32 = sum(a)
# CHECK-NEXT:   |                                    ^

# CHECK: error[E0311]: 'hist' takes 3 arguments before the 'for', not 2
# CHECK-NEXT:   --> {{.*}}combinators.arr:10:33
# CHECK-NEXT:    |
# CHECK-NEXT: 10 | def bins(a: int[n]) -> int[3] = hist((+), 0) for i { (a[i], 1) }
# CHECK-NEXT:    |                                 ^^^^
# CHECK-NEXT: help: write 'hist(op, e, bins) for ..'

# CHECK: error[E0310]: 'hist' needs pairs (bin, value), not int
# CHECK-NEXT:   --> {{.*}}combinators.arr:11:57
# CHECK-NEXT:    |
# CHECK-NEXT: 11 | def pair(a: int[n]) -> int[3] = hist((+), 0, 3) for i { a[i] }
# CHECK-NEXT:    |                                                         ^^^^

# CHECK: error[E0320]: 2 bin indices for 1 dimensions of bins
# CHECK-NEXT:   --> {{.*}}combinators.arr:12:61
# CHECK-NEXT:    |
# CHECK-NEXT: 12 | def two_bins(a: int[n]) -> int[3] = hist((+), 0, 3) for i { ((a[i], a[i]), 1) }
# CHECK-NEXT:    |                                                             ^^^^^^^^^^^^^^^^^

# CHECK: error[E0321]: 'oob' is 'drop' or 'clamp'
# CHECK-NEXT:   --> {{.*}}combinators.arr:13:54
# CHECK-NEXT:    |
# CHECK-NEXT: 13 | def oob(a: int[n]) -> int[3] = hist((+), 0, 3, oob = keep) for i { (a[i], 1) }
# CHECK-NEXT:    |                                                      ^^^^

# CHECK: error[E0312]: this is a float literal, not an operator
# CHECK-NEXT:   --> {{.*}}combinators.arr:14:44
# CHECK-NEXT:    |
# CHECK-NEXT: 14 | def no_operator(a: f32[n]) -> f32 = reduce(1.0, 0.0, a)
# CHECK-NEXT:    |                                            ^^^
# CHECK-NEXT: help: an operator is a section '(+)', a function or a lambda 'fn(x, y) => ..'

# CHECK: error[E0218]: the value and the neutral element of 'reduce': f32 and bool do not meet
# CHECK-NEXT:   --> {{.*}}combinators.arr:15:45
# CHECK-NEXT:    |
# CHECK-NEXT: 15 | def neutral(a: f32[n]) -> f32 = reduce((+), false, a)
# CHECK-NEXT:    |                                             ^^^^^
# CHECK-NEXT: help: convert the bool, as in 'f32(b)', or compare the number

# CHECK: error[E0314]: (or) does not combine f32
# CHECK-NEXT:   --> {{.*}}combinators.arr:16:40
# CHECK-NEXT:    |
# CHECK-NEXT: 16 | def logical(a: f32[n]) -> f32 = reduce((or), 0.0, a)
# CHECK-NEXT:    |                                        ^^^^

# CHECK: error[E0318]: 'hist' needs a 'for'
# CHECK-NEXT:   --> {{.*}}combinators.arr:17:38
# CHECK-NEXT:    |
# CHECK-NEXT: 17 | def call_form(a: int[n]) -> int[3] = hist((+), 0, 3)
# CHECK-NEXT:    |                                      ^^^^^^^^^^^^^^^
# CHECK-NEXT: help: write 'hist((+), 0, bins) for x in k { (x, 1) }'

# CHECK: error[E0310]: 'max' needs real numbers, not c64
# CHECK-NEXT:   --> {{.*}}combinators.arr:18:45
# CHECK-NEXT:    |
# CHECK-NEXT: 18 | def largest(a: c64[n]) -> c64 = max for i { a[i] }
# CHECK-NEXT:    |                                             ^^^^

# CHECK: error[E0309]: 'sum' stands before 'for', not 'stencil'
# CHECK-NEXT:   --> {{.*}}combinators.arr:19:41
# CHECK-NEXT:    |
# CHECK-NEXT: 19 | def stencil_sum(a: f32[n]) -> f32 = sum stencil i { a[i] }
# CHECK-NEXT:    |                                         ^^^^^^^
# CHECK-NEXT: help: write 'sum for'
