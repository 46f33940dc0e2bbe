# Loops that never run: what stands in them is not computed for nothing, and an
# array of no rows still has their size.
# RUN: arrc run %s --check "w=[]" m=2 | FileCheck %s
# CHECK: a: f32[0] []
# CHECK: b: i64[2] [0, 0]
# CHECK: c: i64[0, 2] []
export def f(w: f32[n], m: int) -> (a: f32[n], b: int[m], c: int[n, m]) {
  let ones = for j in n { 1.0 }
  let a: f32[n] = ones[(for i in n { 1 % n })]
  let b = for k in m {
    sum for i in n { sum(for j in m { (j + 3) % n }) }
  }
  let row = for k in m { k }
  (a, b, for i in n { row })
}
