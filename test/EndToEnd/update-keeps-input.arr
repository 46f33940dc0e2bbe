# Values: changing a copy leaves the other alone.
# RUN: arrc run %s --check 'a=[1, 2]' | FileCheck %s
export def f(a: int[n]) -> (x: int[n], y: int[n]) where n >= 1 {
  var x = a
  let y = x
  x[0] = 100
  (x, y)
}

# CHECK: x: i64[2] [100, 2]
# CHECK: y: i64[2] [1, 2]
