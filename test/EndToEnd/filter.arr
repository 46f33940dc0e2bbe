# The values that meet a condition, in order; sizes of unknown result.
# RUN: arrc run %s --check --entry f 'a=[1.0, -2.0, 3.0, 0.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[-1.0]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry f 'a=[]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry g 'a=[[1, 2], [4, 5]]' | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry h 'a=[1, 5, 3, 2]' | FileCheck %s --check-prefix=R5
export def f(a: f32[n]) -> f32[?] = for x in a if x > 0.0 { x }
export def g(a: int[n, m]) -> (v: int[?k], at: int[k]) {
  let p = for i, j if a[i, j] % 2 == 0 { (a[i, j], i * 10 + j) }
  (p.0, p.1)
}
export def h(a: int[n]) -> (s: int, c: int) {
  let v = for x in a if x > 2 { x }
  (sum(v), size(v))
}

# R1: out: f32[2] [1, 3]
# R2: out: f32[0] []
# R3: out: f32[0] []
# R4: v: i64[2] [2, 4]
# R4: at: i64[2] [1, 10]
# R5: s: i64 8
# R5: c: i64 2
