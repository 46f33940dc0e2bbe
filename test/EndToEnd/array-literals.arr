# Literals of numbers, of rows, of expressions; stacks of arrays.
# RUN: arrc run %s --check x=5 'a=[1, 2, 3]' | FileCheck %s
export def f(x: int, a: int[n]) -> (p: int[3], q: int[2, 2], r: int[2, n]) = ([x, x + 1, 7], [[1, x], [3, 4]], [a, a * 2])

# CHECK: p: i64[3] [5, 6, 7]
# CHECK: q: i64[2, 2] {{\[\[}}1, 5], [3, 4]]
# CHECK: r: i64[2, 3] {{\[\[}}1, 2, 3], [2, 4, 6]]
