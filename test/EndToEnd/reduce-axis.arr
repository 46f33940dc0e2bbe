# Reductions along some dimensions; none left gives a scalar.
# RUN: arrc run %s --check 'a=[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]' | FileCheck %s
export def f(a: int[n, m, k]) -> (x: int[m, k], y: int[n, k], z: int[m], w: int) =
  (sum(a, axis = 0), max(a, axis = 1), sum(a, axis = (0, 2)), sum(a, axis = (0, 1, 2)))

# CHECK: x: i64[3, 2] {{\[\[}}8, 10], [12, 14], [16, 18]]
# CHECK: y: i64[2, 2] {{\[\[}}5, 6], [11, 12]]
# CHECK: z: i64[3] [18, 26, 34]
# CHECK: w: i64 78
