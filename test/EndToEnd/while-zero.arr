# Loops that run no time at all give back what they began with.
# RUN: arrc run %s --check 'a=[1, 2]' k=0 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a=[1, 2]' k=2 | FileCheck %s --check-prefix=R2
export def f(a: int[n], k: int) -> (v: int[n], q: int, w: int[n]) {
  var v = a
  var q = 0
  while q < 0 { v = for i in n { 3 }
    q += 1 }
  var w = a
  loop _ in k { w = for i in n { 7 } }
  (v, q, w)
}

# R1: v: i64[2] [1, 2]
# R1: q: i64 0
# R1: w: i64[2] [1, 2]
# R2: v: i64[2] [1, 2]
# R2: q: i64 0
# R2: w: i64[2] [7, 7]
