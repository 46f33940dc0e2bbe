# A bare index takes the size of what it indexes; b is read transposed.
# RUN: arrc run %s --check 'a=[[1, 2, 3], [4, 5, 6]]' 'b=[[1, 2], [3, 4], [5, 6]]' | FileCheck %s
export def f(a: i32[n, m], b: i32[m, n]) -> i32[n, m] = for i, j { a[i, j] + 10 * b[j, i] }

# CHECK: out: i32[2, 3] {{\[\[}}11, 32, 53], [24, 45, 66]]
