# Dimensions exchanged, merged, split.
# RUN: arrc run %s --check --entry f 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'a=[[[1, 2]], [[3, 4]]]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry h 'a=[1, 2, 3, 4]' | FileCheck %s --check-prefix=R3
export def f(a: int[n, m]) -> (t: int[m, n], v: int[n*m]) = (transpose(a), flatten(a))
export def g(a: int[n, m, k]) -> int[k, n, m] = transpose(a, 2, 0, 1)
export def h(a: int[n]) -> int[2, n // 2] where n % 2 == 0 = reshape(a, 2, n // 2)

# R1: t: i64[3, 2] {{\[\[}}1, 4], [2, 5], [3, 6]]
# R1: v: i64[6] [1, 2, 3, 4, 5, 6]
# R2: out: i64[2, 2, 1] {{\[\[\[}}1], [3]], {{\[\[}}2], [4]]]
# R3: out: i64[2, 2] {{\[\[}}1, 2], [3, 4]]
