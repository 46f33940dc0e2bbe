# Sorting is stable, ascending, -0 before 0, NaN last; argsort; rows; by a key;
# other axes; elements of several fields; sorts in bodies and loops.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry f 'a=[3.0, nan, 1.0, 3.0, -inf]' | FileCheck %s --check-prefix=R1
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry f 'a=[]' | FileCheck %s --check-prefix=R2
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows 'a=[[3, 1, 2], [5, 5, 4]]' | FileCheck %s --check-prefix=R3
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry keyed 'a=[1, 3, 2]' | FileCheck %s --check-prefix=R4
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry f 'a=[0.0, -0.0, 0.0, -0.0]' | FileCheck %s --check-prefix=R5
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry axes 'a=[[[3, 1], [2, 2]], [[1, 4], [0, 1]]]' | FileCheck %s --check-prefix=R6
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry pairs 'a=[2, 1, 2, 0]' 'b=[4.5, 3.5, 2.5, 1.5]' | FileCheck %s --check-prefix=R7
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry inside 'a=[[3, 1, 2], [5, 5, 4]]' | FileCheck %s --check-prefix=R8
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry narrow 'a=[200, 3, 255, 0]' 'b=[true, false, true, false]' | FileCheck %s --check-prefix=R9
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry wide 'a=[[2.5, 1.5], [0.5, 7.5], [1.0, 0.0]]' | FileCheck %s --check-prefix=R10
export def f(a: f32[n]) -> (s: f32[n], i: int[n]) = (sort(a), argsort(a))
export def rows(a: int[n, m]) -> (s: int[n, m], i: int[n, m]) = (sort(a, axis = 1), argsort(a, axis = 1))
export def keyed(a: int[n]) -> int[n] = sort(a, by = fn(x) => -x)
export def axes(a: int[n, m, k]) -> (x: int[n, m, k], y: int[n, m, k]) = (sort(a, axis = 0), argsort(a, axis = 1))
export def pairs(a: int[n], b: f32[n]) -> (x: int[n], y: f32[n]) {
  let s = sort(for i { (a[i], b[i]) }, by = fn(p) => p.0)
  (for i { s[i].0 }, for i { s[i].1 })
}
export def inside(a: int[n, m]) -> (x: int[n], y: int[n, m]) {
  let first = for i { sort(a[i, :])[0] }
  var b = a
  loop k in 2 { b = sort(b + k, axis = 1, by = fn(x) => -x) }
  (first, b)
}
export def narrow(a: u8[n], b: bool[n]) -> (x: u8[n], y: bool[n], z: int[n]) = (sort(a), sort(b, by = fn(x) => -int(x)), argsort(b, by = fn(x) => u8(x)))
export def wide(a: f64[n, m]) -> f64[n, m] {
  let order = argsort(for i { sum(a[i, :]) })
  for i, j { a[order[i], j] }
}

# R1: s: f32[5] [-inf, 1, 3, 3, nan]
# R1: i: i64[5] [4, 2, 0, 3, 1]
# R2: s: f32[0] []
# R2: i: i64[0] []
# R3: s: i64[2, 3] {{\[\[}}1, 2, 3], [4, 5, 5]]
# R3: i: i64[2, 3] {{\[\[}}1, 2, 0], [2, 0, 1]]
# R4: out: i64[3] [3, 2, 1]
# R5: s: f32[4] [-0, -0, 0, 0]
# R5: i: i64[4] [1, 3, 0, 2]
# R6: x: i64[2, 2, 2] {{\[\[\[}}1, 1], [0, 1]], {{\[\[}}3, 4], [2, 2]]]
# R6: y: i64[2, 2, 2] {{\[\[\[}}1, 0], [0, 1]], {{\[\[}}1, 1], [0, 0]]]
# R7: x: i64[4] [0, 1, 2, 2]
# R7: y: f32[4] [1.5, 3.5, 4.5, 2.5]
# R8: x: i64[2] [1, 4]
# R8: y: i64[2, 3] {{\[\[}}4, 3, 2], [6, 6, 5]]
# R9: x: u8[4] [0, 3, 200, 255]
# R9: y: bool[4] [true, true, false, false]
# R9: z: i64[4] [1, 3, 0, 2]
# R10: out: f64[3, 2] {{\[\[}}1, 0], [2.5, 1.5], [0.5, 7.5]]
