# Distances of two sets of points: nested minima and maxima over all pairs both ways, and where.
# RUN: arrc run %s --check 'a=[[0.0, 0.0], [1.0, 0.0], [0.0, 5.0]]' 'b=[[0.0, 1.0], [2.0, 0.0]]' | FileCheck %s
# RUN: arrc run %s --check 'a=[[1.0]]' 'b=[[4.0]]' | FileCheck %s --check-prefix=ONE
export def distance(a: f32[n, d], b: f32[m, d]) -> (h: f32, i: int, j: int) where n >= 1, m >= 1 {
  let square = for i in n, j in m { sum for k in d { (a[i, k] - b[j, k]) ** 2 } }
  let there = max(min(square, axis = 1))
  let back = max(min(square, axis = 0))
  let far = argmax for p in n { min(square[p]) }
  (sqrt(max(there, back)), far, argmin for q in m { square[far, q] })
}

# CHECK: h: f32 4
# CHECK: i: i64 2
# CHECK: j: i64 0
# ONE: h: f32 3
