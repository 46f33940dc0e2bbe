# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# What '@' does not multiply.
def leading(a: f32[4, n, k], b: f32[5, k, m]) -> f32[4, n, m] = a @ b
def ranks(a: f32[s, n, k], b: f32[s, t, k, m]) -> f32[s, t, n, m] = a @ b
def inner(a: f32[s, n, 3], b: f32[s, 4, m]) -> f32[s, n, m] = a @ b
def batch(a: f32[s, 3], b: f32[s, 3]) -> f32[s] = a @ b
def scalar(a: f32[n, k], x: f32) -> f32[n, k] = a @ x

# CHECK: error[E0249]: '@' of 4 x n x k and 5 x k x m: the leading sizes differ
# CHECK-NEXT:  --> {{.*}}matrix-products.arr:3:67
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def leading(a: f32[4, n, k], b: f32[5, k, m]) -> f32[4, n, m] = a @ b
# CHECK-NEXT:   |                                                                   ^ the sizes before the matrices are equal, or only one side has them
# CHECK-NEXT: help: write the 'for' over them, with '@' of the matrices inside

# CHECK: error[E0249]: '@' of s x n x k and s x t x k x m: the leading sizes differ
# CHECK-NEXT:  --> {{.*}}matrix-products.arr:4:71
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def ranks(a: f32[s, n, k], b: f32[s, t, k, m]) -> f32[s, t, n, m] = a @ b
# CHECK-NEXT:   |                                                                       ^ the sizes before the matrices are equal, or only one side has them
# CHECK-NEXT: help: write the 'for' over them, with '@' of the matrices inside

# CHECK: error[E0238]: '@' of s x n x 3 and s x 4 x m: the inner sizes differ
# CHECK-NEXT:  --> {{.*}}matrix-products.arr:5:65
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def inner(a: f32[s, n, 3], b: f32[s, 4, m]) -> f32[s, n, m] = a @ b
# CHECK-NEXT:   |                                                                 ^ the last size of the left side meets the last but one of the right

# CHECK: error[E0216]: the result is f32[s], but this is f32[s, 3]
# CHECK-NEXT:  --> {{.*}}matrix-products.arr:6:51
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def batch(a: f32[s, 3], b: f32[s, 3]) -> f32[s] = a @ b
# CHECK-NEXT:   |                                                   ^^^^^

# CHECK: error[E0237]: '@' multiplies matrices and vectors of numbers, not f32[n, k] and f32
# CHECK-NEXT:  --> {{.*}}matrix-products.arr:7:51
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def scalar(a: f32[n, k], x: f32) -> f32[n, k] = a @ x
# CHECK-NEXT:   |                                                   ^
