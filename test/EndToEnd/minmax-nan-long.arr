# A NaN far inside of a reduction is not lost.
# RUN: arrc run %s --check n=1000 at=777 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check n=1000 at=-1 | FileCheck %s --check-prefix=R2
export def f(n: int, at: int) -> (lo: f32, hi: f32, i: int) {
  let a = for k in n { if k == at { nan } else { f32(k) } }
  (min(a), max(a), argmax(a))
}

# R1: lo: f32 nan
# R1: hi: f32 nan
# R1: i: i64 777
# R2: lo: f32 0
# R2: hi: f32 999
# R2: i: i64 999
