# Two time loops, one after and one inside of the other, with a branch.
# RUN: arrc run %s --check 'a=[0, 1]' k=3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[0, 1]' k=0 | FileCheck %s --check-prefix=R2
export def f(a: int[n], k: int) -> (v: int[n], s: int) {
  var v = a
  var s = 0
  loop i in k {
    var w = v
    loop j in i + 1 { w = for p in n { w[p] + 1 } }
    v = if i % 2 == 0 { w } else { for p in n { v[p] * 2 } }
    s += sum(v)
  }
  loop i in 2 { v = for p in n { v[p] - 1 } }
  (v, s)
}

# R1: v: i64[2] [3, 5]
# R1: s: i64 21
# R2: v: i64[2] [-2, -1]
# R2: s: i64 0
