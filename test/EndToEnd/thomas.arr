# Tridiagonal systems: forward and backward loops in rows.
# RUN: arrc run %s --check 'lo=[[0.0, 0.0]]' 'di=[[2.0, 4.0]]' 'up=[[1.0, 0.0]]' 'b=[[5.0, 8.0]]' | FileCheck %s
export def thomas(lo: f32[n, m], di: f32[n, m], up: f32[n, m], b: f32[n, m]) -> f32[n, m] where m >= 1 =
  for i in n {
    var c = up[i]
    var d = b[i]
    c[0] = c[0] / di[i, 0]
    d[0] = d[0] / di[i, 0]
    loop k in 1:m {
      let w = di[i, k] - lo[i, k] * c[k-1]
      c[k] = c[k] / w
      d[k] = (d[k] - lo[i, k] * d[k-1]) / w
    }
    loop k in m-2:-1:-1 { d[k] -= c[k] * d[k+1] }
    d
  }

# CHECK: out: f32[1, 2] {{\[\[}}1.5, 2]]
