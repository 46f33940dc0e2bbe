# Arrays that change their size in the bodies of combinators.
# RUN: arrc run %s --check "v=[1, 2, 3]" B=4 | FileCheck %s --check-prefix=FOLDS
# RUN: arrc run %s --check "v=[]" B=0 | FileCheck %s --check-prefix=NONE

# FOLDS: total: i64 39
# FOLDS: prefix: i64[4] [0, 6, 15, 39]
# FOLDS: bins: i64[2] [9, 30]
# FOLDS: kept: i64[3] [6, 9, 24]
# NONE: total: i64 0
# NONE: prefix: i64[0] []
# NONE: bins: i64[2] [0, 0]
# NONE: kept: i64[0] []
def pile(v: int[n], b: int) -> int {
  var x: int[?] = zeros(0)
  loop k in b {
    x = concat(x, v)
    if k % 2 == 1 { x = concat(x, for y in x if y > 2 { y }) }
  }
  if b == 2 { sum(x) - 9 } else { min(sum(x), 24) }
}
export def folds(v: int[n], B: int)
    -> (total: int, prefix: int[B], bins: int[2], kept: int[?]) {
  let total = sum for b in B { pile(v, b) }
  let prefix = scan((+)) for b in B { pile(v, b) }
  let bins = hist((+), 0, 2) for b in B { (b % 2, pile(v, b)) }
  let kept = for b in B if pile(v, b) > 0 { pile(v, b) }
  (total, prefix, bins, kept)
}
