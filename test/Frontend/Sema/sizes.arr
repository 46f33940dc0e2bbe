# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# Sizes that differ, and names that nothing binds.
def ranks(a: f32[n, m], b: f32[m]) -> f32[n, m] = a + b
def result(a: f32[n]) -> f32[n] = a[1:n]
def constants(a: f32[3], b: f32[4]) -> f32[3] = a + b
def unbound(a: f32[n]) -> f32[k] = a
def two_names(a: f32[n + m]) -> f32 = sum(a)
def product(a: f32[n * n]) -> f32 = sum(a)
def matmul(a: f32[n, 3], b: f32[4, m]) -> f32[n, m] = a @ b
def dot(a: f32[n], b: f32[n]) -> f32 = sum(a * b)
def call(a: f32[3], b: f32[4]) -> f32 = dot(a, b)
def middle(a: f32[n]) -> f32 where n >= 3 = a[1]
def precondition(a: f32[2]) -> f32 = middle(a)
def var_size() -> f32 {
  var x = [1.0, 2.0]
  x = [1.0, 2.0, 3.0]
  sum(x)
}
def ragged(n: int) -> int {
  let r = for i in n { for j in i { j } }
  size(r[0])
}
def reshaped(a: f32[4, n]) -> f32[n] = reshape(a, n)
def branches(a: f32[n], c: bool) -> f32[n] = if c { a } else { a[1:n] }
def negative() -> int[3] = zeros(2 - 3)


# CHECK: error[E0217]: the sizes of 'a' and 'b' differ
# CHECK-NEXT:  --> {{.*}}sizes.arr:3:53
# CHECK-NEXT:   |
# CHECK-NEXT: 3 | def ranks(a: f32[n, m], b: f32[m]) -> f32[n, m] = a + b
# CHECK-NEXT:   |           - 'a' is n x m
# CHECK-NEXT:   |                         - 'b' is m
# CHECK-NEXT:   |                                                     ^ elementwise '+' needs equal sizes, or a scalar
# CHECK-NEXT: help: ranks never broadcast: write the 'for' with its indices

# CHECK: error[E0266]: the result has the size n, but this has n - 1
# CHECK-NEXT:  --> {{.*}}sizes.arr:4:35
# CHECK-NEXT:   |
# CHECK-NEXT: 4 | def result(a: f32[n]) -> f32[n] = a[1:n]
# CHECK-NEXT:   |                                   ^^^^^^ this is f32[n - 1], not f32[n]

# CHECK: error[E0217]: the sizes of 'a' and 'b' differ
# CHECK-NEXT:  --> {{.*}}sizes.arr:5:51
# CHECK-NEXT:   |
# CHECK-NEXT: 5 | def constants(a: f32[3], b: f32[4]) -> f32[3] = a + b
# CHECK-NEXT:   |               - 'a' is 3
# CHECK-NEXT:   |                          - 'b' is 4
# CHECK-NEXT:   |                                                   ^ elementwise '+' needs equal sizes, or a scalar

# CHECK: error[E0200]: 'k' is not declared
# CHECK-NEXT:  --> {{.*}}sizes.arr:6:31
# CHECK-NEXT:   |
# CHECK-NEXT: 6 | def unbound(a: f32[n]) -> f32[k] = a
# CHECK-NEXT:   |                               ^

# CHECK: error[E0264]: this dimension cannot bind both 'n' and 'm'
# CHECK-NEXT:  --> {{.*}}sizes.arr:7:22
# CHECK-NEXT:   |
# CHECK-NEXT: 7 | def two_names(a: f32[n + m]) -> f32 = sum(a)
# CHECK-NEXT:   |                      ^^^^^
# CHECK-NEXT: help: bind one of them by a dimension of its own, or as an int parameter

# CHECK: error[E0264]: this dimension cannot bind both 'n' and 'n'
# CHECK-NEXT:  --> {{.*}}sizes.arr:8:20
# CHECK-NEXT:   |
# CHECK-NEXT: 8 | def product(a: f32[n * n]) -> f32 = sum(a)
# CHECK-NEXT:   |                    ^^^^^
# CHECK-NEXT: help: bind one of them by a dimension of its own, or as an int parameter

# CHECK: error[E0238]: '@' of n x 3 and 4 x m: the inner sizes differ
# CHECK-NEXT:  --> {{.*}}sizes.arr:9:57
# CHECK-NEXT:   |
# CHECK-NEXT: 9 | def matmul(a: f32[n, 3], b: f32[4, m]) -> f32[n, m] = a @ b
# CHECK-NEXT:   |                                                         ^ the last size of the left side meets the first of the right

# CHECK: error[E0266]: the parameter 'b' has the size 3, but this has 4
# CHECK-NEXT:   --> {{.*}}sizes.arr:11:48
# CHECK-NEXT:    |
# CHECK-NEXT: 10 | def dot(a: f32[n], b: f32[n]) -> f32 = sum(a * b)
# CHECK-NEXT:    |                    --------- declared here
# CHECK-NEXT: 11 | def call(a: f32[3], b: f32[4]) -> f32 = dot(a, b)
# CHECK-NEXT:    |                                                ^ this is f32[4], not f32[3]

# CHECK: error[E0347]: 'n >= 3' does not hold
# CHECK-NEXT:   --> {{.*}}sizes.arr:13:38
# CHECK-NEXT:    |
# CHECK-NEXT: 12 | def middle(a: f32[n]) -> f32 where n >= 3 = a[1]
# CHECK-NEXT:    |                                    ------ 'middle' needs this
# CHECK-NEXT: 13 | def precondition(a: f32[2]) -> f32 = middle(a)
# CHECK-NEXT:    |                                      ^^^^^^^^^

# CHECK: error[E0266]: what is assigned to 'x' has the size 2, but this has 3
# CHECK-NEXT:   --> {{.*}}sizes.arr:16:7
# CHECK-NEXT:    |
# CHECK-NEXT: 15 |   var x = [1.0, 2.0]
# CHECK-NEXT:    |       - declared here
# CHECK-NEXT: 16 |   x = [1.0, 2.0, 3.0]
# CHECK-NEXT:    |       ^^^^^^^^^^^^^^^ this is f32[3], not f32[2]

# CHECK: error[E0269]: the rows of this array have different sizes
# CHECK-NEXT:   --> {{.*}}sizes.arr:20:24
# CHECK-NEXT:    |
# CHECK-NEXT: 20 |   let r = for i in n { for j in i { j } }
# CHECK-NEXT:    |                        ^^^^^^^^^^^^^^^^ the size is known only inside the body
# CHECK-NEXT: help: declare the type with '?', as in 'let r: int[n, ?] = ..'

# CHECK: error[E0243]: the branches have different sizes, n and n - 1
# CHECK-NEXT:   --> {{.*}}sizes.arr:24:46
# CHECK-NEXT:    |
# CHECK-NEXT: 24 | def branches(a: f32[n], c: bool) -> f32[n] = if c { a } else { a[1:n] }
# CHECK-NEXT:    |                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^

# CHECK: error[E0262]: the size -1 is negative
# CHECK-NEXT:   --> {{.*}}sizes.arr:25:34
# CHECK-NEXT:    |
# CHECK-NEXT: 25 | def negative() -> int[3] = zeros(2 - 3)
# CHECK-NEXT:    |                                  ^^^^^
