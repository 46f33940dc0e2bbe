# Sorting is stable, ascending, NaN last; argsort; rows; by a key.
# RUN: arrc run %s --check --entry f 'a=[3.0, nan, 1.0, 3.0, -inf]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry rows 'a=[[3, 1, 2], [5, 5, 4]]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry keyed 'a=[1, 3, 2]' | FileCheck %s --check-prefix=R4
export def f(a: f32[n]) -> (s: f32[n], i: int[n]) = (sort(a), argsort(a))
export def rows(a: int[n, m]) -> (s: int[n, m], i: int[n, m]) = (sort(a, axis = 1), argsort(a, axis = 1))
export def keyed(a: int[n]) -> int[n] = sort(a, by = fn(x) => -x)

# R1: s: f32[5] [-inf, 1, 3, 3, nan]
# R1: i: i64[5] [4, 2, 0, 3, 1]
# R2: s: f32[0] []
# R2: i: i64[0] []
# R3: s: i64[2, 3] {{\[\[}}1, 2, 3], [4, 5, 5]]
# R3: i: i64[2, 3] {{\[\[}}1, 2, 0], [2, 0, 1]]
# R4: out: i64[3] [3, 2, 1]
