# Longest common subsequences by anti-diagonals: two arrays before are carried.
# RUN: arrc run %s --check 'a=[1, 2, 3, 2, 4, 1, 2]' 'b=[2, 4, 3, 1, 2, 1]' | FileCheck %s
# RUN: arrc run %s --check 'a=[7]' 'b=[7]' | FileCheck %s --check-prefix=R2
export def lcs(a: u8[n], b: u8[m]) -> int {
  var p: int[n+1] = zeros(n+1)
  var q: int[n+1] = zeros(n+1)
  loop d in 2:n+m+1 {
    let r = for i in n+1 {
      let j = d - i
      if i == 0 or j <= 0 or j > m { 0 }
      else if a[i-1] == b[j-1] { p[i-1] + 1 }
      else { max(q[i-1], q[i]) }
    }
    p = q
    q = r
  }
  q[n]
}

# CHECK: out: i64 4
# R2: out: i64 1
