# Chains of else if, a statement that assigns, branches of tuples and arrays.
# RUN: arrc run %s --check x=5 'a=[1, 2]' 'b=[3, 4]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check x=-2 'a=[1, 2]' 'b=[3, 4]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check x=0 'a=[1]' 'b=[3]' | FileCheck %s --check-prefix=R3
def sign3(x: int) -> int = if x < 0 { -1 } else if x == 0 { 0 } else { 1 }
export def f(x: int, a: int[n], b: int[n]) -> (s: int, v: int, c: int[n]) {
  var v = 10
  if x > 3 { v = 20 } else { v += x }
  if x > 100 { v = 0 }
  let (c, _) = if x > 0 { (a, x) } else { (b, -x) }
  (sign3(x), v, c)
}

# R1: s: i64 1
# R1: v: i64 20
# R1: c: i64[2] [1, 2]
# R2: s: i64 -1
# R2: v: i64 8
# R2: c: i64[2] [3, 4]
# R3: s: i64 0
# R3: v: i64 10
# R3: c: i64[1] [3]
