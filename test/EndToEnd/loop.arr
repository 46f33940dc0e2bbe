# Loops over ranges with bounds and steps, down, over nothing, over elements.
# RUN: arrc run %s --check n=5 'a=[2, 3, 4]' | FileCheck %s
export def f(n: int, a: int[m]) -> (x: int, y: int, z: int, w: int) {
  var x = 0
  loop k in 2:n { x = 10 * x + k }
  var y = 0
  loop k in n:0:-2 { y = 10 * y + k }
  var z = 7
  loop k in 5:2 { z = k }
  var w = 1
  loop e in a { w = w * e }
  (x, y, z, w)
}

# CHECK: x: i64 234
# CHECK: y: i64 531
# CHECK: z: i64 7
# CHECK: w: i64 24
