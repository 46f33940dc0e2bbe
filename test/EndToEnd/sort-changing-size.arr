# Sizes of what is sorted in a loop are those of what changes its size before.
# RUN: arrc run %s --check -O0 n=9 | FileCheck %s
# RUN: arrc run %s --check n=9 | FileCheck %s
# RUN: arrc run %s --check n=0
export def f(n: int) -> int[?] {
  var v: int[?] = for j in n { 4 - j }
  loop q in [2, 0, 1] {
    if size(v) < 40 { v = concat(v, [q]) }
    v = sort(v)
    if n > 0 {
      v = scan((+), v)
      v = v[:size(v) // 2]
    }
  }
  v
}

# CHECK: out: i64[2] [-29, -49]
