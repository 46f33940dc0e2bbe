# Elements replaced, rows replaced, indices outside.
# RUN: arrc run %s --check --entry f 'a=[1, 2, 3, 4]' 'idx=[2, 0]' 'v=[30, 10]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry rows 'a=[[1, 1], [2, 2], [3, 3]]' 'idx=[2, 1]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry drop 'a=[1, 2]' 'idx=[-1, 1, 5]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry open 'idx=[2, 0]' 'v=[0.1, 3]' | FileCheck %s --check-prefix=R5
# RUN: %exit_code 3 arrc run %s --check --entry f 'a=[1, 2]' 'idx=[2]' 'v=[0]' 2>&1 | FileCheck %s --check-prefix=R4
export def f(a: int[n], idx: int[m], v: int[m]) -> int[n] = scatter(a) for k { (idx[k], v[k]) }
export def rows(a: int[n, 2], idx: int[m]) -> int[n, 2] = scatter(a) for k { (idx[k], [k, 10 * k]) }
export def drop(a: int[n], idx: int[m]) -> int[n] = scatter(a, oob = drop) for k { (idx[k], 7) }
# What is open takes the type of the values, or the one that is declared.
export def open(idx: int[m], v: f64[m]) -> (a: f64[4], b: i32[3], c: f64, d: f32[3]) {
  let s = scatter(zeros(3)) for k { (idx[k], v[k]) }
  (scatter(zeros(4)) for k { (idx[k], v[k]) }, scatter([1, 2, 3]) for k { (idx[k], 7) }, s[2], scatter(zeros(3)) for k { (idx[k], 1.5) })
}

# R1: out: i64[4] [10, 2, 30, 4]
# R2: out: i64[3, 2] {{\[\[}}1, 1], [1, 10], [0, 0]]
# R3: out: i64[2] [1, 7]
# R4: scatter.arr:
# R5: a: f64[4] [3, 0, 0.1, 0]
# R5: b: i32[3] [7, 2, 7]
# R5: c: f64 0.1
# R5: d: f32[3] [1.5, 0, 1.5]
