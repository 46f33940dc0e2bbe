# A loop of its own length at every point.
# RUN: arrc run %s --check n=8 limit=10 | FileCheck %s
export def f(n: int, limit: int) -> i32[n] =
  for i in n {
    var z = i
    var k: i32 = 0
    while z != 1 and z > 0 and k < limit {
      z = if z % 2 == 0 { z // 2 } else { 3 * z + 1 }
      k += 1
    }
    k
  }

# CHECK: out: i32[8] [0, 0, 1, 7, 2, 5, 8, 10]
