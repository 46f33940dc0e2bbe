# A table that is replaced by reads at distances known at run time.
# RUN: arrc run %s --check 'w=[3, 4, 2, 5]' 'v=[4, 5, 3, 8]' cap=9 | FileCheck %s
# RUN: arrc run %s --check 'w=[]' 'v=[]' cap=0 | FileCheck %s --check-prefix=R2
export def ks(w: int[n], v: int[n], cap: int) -> (best: int, t: int[cap+1]) where cap >= 0 {
  var t: int[cap+1] = zeros(cap+1)
  loop i in n { t = for c in cap+1 { if c >= w[i] { max(t[c], t[c - w[i]] + v[i]) } else { t[c] } } }
  (t[cap], t)
}

# CHECK: best: i64 13
# CHECK: t: i64[10] [0, 0, 3, 4, 5, 8, 8, 11, 12, 13]
# R2: best: i64 0
# R2: t: i64[1] [0]
