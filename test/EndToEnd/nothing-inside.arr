# Loops that never run: what stands in them is not computed for nothing, and an
# array of no rows still has their size.
# RUN: arrc run %s --check --sanitize "w=[]" m=2 | FileCheck %s
# CHECK: a: f32[0] []
# CHECK: b: i64[2] [0, 0]
# CHECK: c: i64[0, 2] []
# CHECK: d: f32[2, 0]
# CHECK: e: i64[0, 2]
export def f(w: f32[n], m: int) -> (a: f32[n], b: int[m], c: int[n, m],
                                    d: f32[m, n], e: int[n, m]) {
  let ones = for j in n { 1.0 }
  let a: f32[n] = ones[(for i in n { 1 % n })]
  let b = for k in m {
    sum for i in n { sum(for j in m { (j + 3) % n }) }
  }
  let row = for k in m { k }
  # The size of a part is checked in the body.
  let e = for i in n {
    var part = for k in m { 1 }
    part[1:] = i
    part[(for k in m { k })]
  }
  (a, b, for i in n { row }, for k in m { for i in n { w[1 % n] + w[0] } }, e)
}
