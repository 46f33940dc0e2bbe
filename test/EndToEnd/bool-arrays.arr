# Arrays of bools in and out, elementwise logic.
# RUN: arrc run %s --check 'a=[true, false, true, true]' 'b=[true, true, false, true]' 'x=[1, 2, 3, 4]' | FileCheck %s
export def f(a: bool[n], b: bool[n], x: int[n]) -> (c: bool[n], d: bool[n], e: bool[n], s: int[n]) =
  (a and b, not a or b, x > 2, for i { if a[i] { x[i] } else { 0 } })

# CHECK: c: bool[4] [true, false, false, true]
# CHECK: d: bool[4] [true, true, false, true]
# CHECK: e: bool[4] [false, false, true, true]
# CHECK: s: i64[4] [1, 0, 3, 4]
