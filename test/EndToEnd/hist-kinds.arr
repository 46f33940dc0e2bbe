# Histograms by operators and of elements that devices have no atomics for.
# RUN: arrc run %s --check --entry f 'x=[1, 2, 3, 4, 5, 6, 7, 8, 9]' 'b=[0, 1, 2, 0, 1, 2, 2, 1, 0]' | FileCheck %s --check-prefix=F
# RUN: arrc run %s --check --entry g 'x=[1, 2, 3, 4, 5, 6, 7, 8, 9]' 'b=[0, 1, 2, 0, 1, 2, 2, 1, 0]' | FileCheck %s --check-prefix=G
# RUN: arrc run %s --check --entry h 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=H
# RUN: arrc run %s --check --entry k 'x=[1, 2, 3, 4, 5, 6, 7, 8, 9]' 'b=[0, 1, 2, 0, 1, 2, 2, 1, 0]' | FileCheck %s --check-prefix=K
# RUN: arrc run %s --check --entry m 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=M
export def f(x: f64[n], b: int[n]) -> (p: f64[3], m: f64[3], s: f64[3]) =
  (hist((*), 1.0, 3) for i { (b[i], x[i]) }, hist(max, -1000.0, 3) for i { (b[i], x[i]) },
   hist((+), 0.0, 3) for i { (b[i], x[i]) })
export def g(x: i8[n], b: int[n]) -> (s: i8[3], t: i16[3]) =
  (hist((+), i8(0), 3) for i { (b[i], x[i]) }, hist(max, i16(0), 3) for i { (b[i], i16(x[i])) })
export def h(a: f32[n, m]) -> f32[3] = hist((+), 0.0, 3) for i in n, j in m { ((i + j) % 3, a[i, j]) }
def op(a: f32, b: f32) -> f32 = a + b + a * b
export def k(x: f32[n], b: int[n]) -> f32[3] = hist(op, 0.0, 3) for i { (b[i], x[i]) }
export def m(a: f32[n, m]) -> f32[n, 2] = for i in n { hist((+), 0.0, 2) for j in m { (j % 2, a[i, j]) } }

# F: p: f64[3] [36, 80, 126]
# F: m: f64[3] [9, 8, 7]
# F: s: f64[3] [14, 15, 16]
# G: s: i8[3] [14, 15, 16]
# G: t: i16[3] [9, 8, 7]
# H: out: f32[3] [7, 6, 8]
# K: out: f32[3] [99, 161, 223]
# M: out: f32[2, 2] {{\[\[}}4, 2], [10, 5]]
