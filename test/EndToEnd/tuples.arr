# Nested tuples, patterns, swaps.
# RUN: arrc run %s --check a=17 b=5 | FileCheck %s
def div(a: int, b: int) -> (int, int) = (a // b, a % b)
export def f(a: int, b: int) -> (q: int, r: int, s: int, t: int) {
  let t = (div(a, b), (a, b))
  let ((q, r), _) = t
  var (x, y) = t.1
  (x, y) = (y, x)
  (q, r, x, t.1.0)
}

# CHECK: q: i64 3
# CHECK: r: i64 2
# CHECK: s: i64 5
# CHECK: t: i64 17
