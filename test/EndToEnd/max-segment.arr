# The best sum of a segment: a scan of four numbers that belong together.
# RUN: arrc run %s --check 'x=[3, -5, 4, -1, 2, -9, 5]' | FileCheck %s
# RUN: arrc run %s --check 'x=[-2]' | FileCheck %s --check-prefix=R2
export def kadane(x: int[n]) -> (best: int, pre: int[n]) where n >= 1 {
  let op = fn(a, b) => (a.0 + b.0, max(a.1, a.0 + b.1), max(b.2, b.0 + a.2), max(max(a.3, b.3), a.2 + b.1))
  let e = for i { (x[i], x[i], x[i], x[i]) }
  let s = scan(op, e)
  (s.3[n-1], s.3)
}

# CHECK: best: i64 5
# CHECK: pre: i64[7] [3, 3, 4, 4, 5, 5, 5]
# R2: best: i64 -2
# R2: pre: i64[1] [-2]
