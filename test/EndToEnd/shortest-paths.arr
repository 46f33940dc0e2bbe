# Shortest paths: each step reads a row and a column of what it replaces; infinity stays.
# RUN: arrc run %s --check 'd0=[[0.0, 4.0, inf], [1.0, 0.0, 2.0], [inf, 7.0, 0.0]]' | FileCheck %s
export def fw(d0: f32[n, n]) -> f32[n, n] {
  var d = d0
  loop k in n { d = for i in n, j in n { min(d[i, j], d[i, k] + d[k, j]) } }
  d
}

# CHECK: out: f32[3, 3] {{\[\[}}0, 4, 6], [1, 0, 2], [8, 7, 0{{\]\]}}
