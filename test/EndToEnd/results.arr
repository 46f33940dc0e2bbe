# Scalars and arrays returned as they came, twice, and constants.
# RUN: arrc run %s --check 'a=[1, 2, 3]' s=4 | FileCheck %s
export def f(a: int[n], s: int) -> (x: int[n], y: int[n], z: int, k: int, c: int[2]) = (a, a, s, 5, [1, 2])

# CHECK: x: i64[3] [1, 2, 3]
# CHECK: y: i64[3] [1, 2, 3]
# CHECK: z: i64 4
# CHECK: k: i64 5
# CHECK: c: i64[2] [1, 2]
