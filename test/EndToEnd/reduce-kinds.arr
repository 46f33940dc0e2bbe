# Every reduction in its call form.
# RUN: arrc run %s --check 'a=[3, 1, 4, 1, 5]' 'b=[true, false, true]' | FileCheck %s
export def f(a: int[n], b: bool[m]) -> (s: int, p: int, lo: int, hi: int, x: bool, y: bool, c: int, am: int, ax: int) {
  (sum(a), prod(a), min(a), max(a), any(b), all(b), count(b), argmin(a), argmax(a))
}

# CHECK: s: i64 14
# CHECK: p: i64 60
# CHECK: lo: i64 1
# CHECK: hi: i64 5
# CHECK: x: bool true
# CHECK: y: bool false
# CHECK: c: i64 2
# CHECK: am: i64 1
# CHECK: ax: i64 4
