# Scopes of blocks; names of built-in functions may be hidden.
# RUN: arrc run %s --check 'a=[1, 2]' | FileCheck %s
def max3(a: int, b: int, c: int) -> int = max(max(a, b), c)
export def f(a: int[n]) -> (x: int, y: int) {
  let count = 3
  var s = 0
  loop i in n { let t = a[i] * count
    s += t }
  let t = max3(s, 1, 2)
  (s, t)
}

# CHECK: x: i64 9
# CHECK: y: i64 9
