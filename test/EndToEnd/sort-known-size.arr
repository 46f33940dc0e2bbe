# What is sorted has a size that is known though its variable's is not.
# RUN: arrc run %s --check -O0 n=3 k=0 | FileCheck %s
# RUN: arrc run %s --check n=3 k=0 | FileCheck %s
export def f(n: int, k: int) -> (v: i16[?], w: int[?]) {
  var v: i16[?] = for i in n { 1 }
  var w: int[?] = iota(n)
  loop t in 1:2 {
    v = [7]
    w = [3, 1, 2]
    if k < t {
      v = sort(v)
      w = argsort(w)
    }
  }
  (v, w)
}

# CHECK: v: i16[1] [7]
# CHECK: w: i64[3] [1, 2, 0]
