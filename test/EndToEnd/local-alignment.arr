# Smith and Waterman's local alignment along antidiagonals, and the longest common
# subsequence row by row by a scan.
# RUN: arrc run %s --check a=[1,2,3,0,2,1] b=[2,3,3,0,2,2] | FileCheck %s
# RUN: arrc run %s --check a=[] b=[1,2] | FileCheck %s --check-prefix=NONE
# CHECK: best: i32 10
# CHECK: lcs: i32 4
# NONE: best: i32 0
# NONE: lcs: i32 0
export def align(a: u8[n], b: u8[m]) -> (best: i32, lcs: i32) {
  var before: i32[n+1] = zeros(n + 1)
  var last: i32[n+1] = zeros(n + 1)
  var best: i32 = 0
  loop d in 2:n + m + 1 {
    let next = for i in n + 1 {
      let j = d - i
      if i >= 1 and j >= 1 and j <= m {
        max(i32(0), before[i-1] + (if a[i-1] == b[j-1] { i32(3) } else { i32(-3) }), last[i-1] - i32(2), last[i] - i32(2))
      } else { i32(0) }
    }
    best = max(best, max(next))
    before = last
    last = next
  }
  var row: i32[m+1] = zeros(m + 1)
  loop i in n {
    let cand = for j in m + 1 { if j == 0 { i32(0) } else if a[i] == b[j-1] { row[j-1] + i32(1) } else { row[j] } }
    row = scan(max, cand)
  }
  (best, row[m])
}
