# The most likely path: argmax over rows in a loop, then back through a table.
# RUN: arrc run %s --check 'e=[[1.0, 0.0], [0.0, 2.0], [0.5, 0.25]]' 'tr=[[0.5, 0.0], [0.25, 1.0]]' 'p=[0.5, 0.5]' | FileCheck %s
export def vit(e: f32[t, s], tr: f32[s, s], p: f32[s]) -> (path: int[t], score: f32) where t >= 1, s >= 1 {
  var v = p + e[0]
  var back: int[t, s] = zeros(t, s)
  loop k in 1:t {
    let old = v
    back[k] = for j in s { argmax for i in s { old[i] + tr[i, j] } }
    v = for j in s { e[k, j] + (max for i in s { old[i] + tr[i, j] }) }
  }
  var path: int[t] = zeros(t)
  path[t-1] = argmax(v)
  loop k in t-2:-1:-1 { path[k] = back[k+1, path[k+1]] }
  (path, max(v))
}

# CHECK: path: i64[3] [0, 1, 1]
# CHECK: score: f32 4.75
