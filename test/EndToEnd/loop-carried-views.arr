# What a loop carries may come from slices, transposes, an argument.
# RUN: arrc run %s --check --entry f 'a=[[1, 2], [3, 4]]' k=3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f 'a=[[1, 2], [3, 4]]' k=0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry g 'a=[1, 2, 3]' k=2 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry h 'a=[1, 1]' 'b=[2, 2]' k=1 | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check --entry h 'a=[1, 1]' 'b=[2, 2]' k=5 | FileCheck %s --check-prefix=R5
export def f(a: int[n, n], k: int) -> int[n, n] {
  var v = a
  loop _ in k { v = transpose(v) }
  v
}
export def g(a: int[n], k: int) -> int[n] {
  var v = a
  loop _ in k { v = roll(v, 1) }
  v
}
export def h(a: int[n], b: int[n], k: int) -> (x: int[n], y: int[n], z: int[n]) {
  var (x, y, z) = (a, b, a)
  loop j in k { (x, y, z) = (y, z, x) }
  (x, y, z)
}

# R1: out: i64[2, 2] {{\[\[}}1, 3], [2, 4]]
# R2: out: i64[2, 2] {{\[\[}}1, 2], [3, 4]]
# R3: out: i64[3] [2, 3, 1]
# R4: x: i64[2] [2, 2]
# R4: y: i64[2] [1, 1]
# R4: z: i64[2] [1, 1]
# R5: x: i64[2] [1, 1]
# R5: y: i64[2] [1, 1]
# R5: z: i64[2] [2, 2]
