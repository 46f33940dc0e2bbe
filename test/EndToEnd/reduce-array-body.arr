# A reduction of arrays works elementwise.
# RUN: arrc run %s --check 'a=[[1, 5], [2, 4], [3, 3]]' | FileCheck %s
export def f(a: int[n, m]) -> (x: int[m], y: int[m], z: int[2]) {
  let x = sum for i { a[i] }
  let y = max for i { a[i] }
  let z = sum for i in n { [i, 1] }
  (x, y, z)
}

# CHECK: x: i64[2] [6, 12]
# CHECK: y: i64[2] [3, 5]
# CHECK: z: i64[2] [3, 3]
