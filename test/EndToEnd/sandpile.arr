# Grains topple until none can: a while that asks all elements.
# RUN: arrc run %s --check 's0=[[0, 9, 0], [5, 4, 0]]' | FileCheck %s
# RUN: arrc run %s --check 's0=[[3]]' | FileCheck %s --check-prefix=R2
export def sp(s0: i32[n, m]) -> (s: i32[n, m], k: int) {
  var s = s0
  var k = 0
  while any(s >= 4) and k < 200 {
    let t = for i in n, j in m { s[i, j] // 4 }
    let e = extend(t, 0)
    s = for i in n, j in m { s[i, j] % 4 + e[i-1,j] + e[i+1,j] + e[i,j-1] + e[i,j+1] }
    k += 1
  }
  (s, k)
}

# CHECK: s: i32[2, 3] {{\[\[}}3, 2, 2], [2, 3, 1{{\]\]}}
# CHECK: k: i64 1
# R2: s: i32[1, 1] {{\[\[}}3{{\]\]}}
# R2: k: i64 0
