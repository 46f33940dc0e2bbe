# Rows of different sizes whose elements are rows of a constant size: a number, a
# constant, what is computed of it, in exports, other functions and results.
# RUN: arrc run %s --check 'p.offsets=[0, 2, 3, 3]' 'p.values=[[0, 1], [2, 3], [4, 5]]' 2>&1 | FileCheck %s
# RUN: arrc run %s --check 'p.offsets=[0]' 'p.values=zeros(0, 2)' 2>&1 | FileCheck %s --check-prefix=NONE
# CHECK: check: ok
# CHECK: s: f32[3] [6, 9, 0]
# CHECK-NEXT: t.offsets: i64[4] [0, 2, 3, 3]
# CHECK-NEXT: t.values: f32[3, 2] {{\[}}[0, 2], [4, 6], [8, 10]]
# NONE: check: ok
const K = 2
def total(q: f32[m, K]) -> f32 = sum(q)
def twice(p: f32[n, ?, 2 * K - 2]) -> f32[n, ?, K] {
  let r: f32[n, ?, 2] = for q in p { for x in q { 2.0 * x } }
  r
}
export def both(p: f32[n, ?, 2]) -> (s: f32[n], t: f32[n, ?, 2]) = (for q in p { total(q) }, twice(p))
