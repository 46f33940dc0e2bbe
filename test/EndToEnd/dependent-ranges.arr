# Ranges that depend on another index, in filters, histograms, scatters, argmin and argmax.
# RUN: arrc run %s --check --entry triangle n=5 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry triangle n=1 | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check --entry triangle n=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry rows 'off=[0, 0, 3, 3, 5, 5]' 'col=[0, 2, 1, 3, 0]' 'v=[1, 5, -2, 7, 1]' 'w=[1, 0, 1, 1, 1]' m=4 | FileCheck %s --check-prefix=ROWS
# RUN: %exit_code 3 arrc run %s --entry rows 'off=[0, 0]' 'col=[]' 'v=[]' 'w=[1]' m=4 2>&1 | FileCheck %s --check-prefix=EMPTY
# RUN: arrc run %s --check --entry deep n=4 | FileCheck %s --check-prefix=DEEP
# RUN: arrc run %s --check --entry skewed n=200 | FileCheck %s --check-prefix=SKEWED
export def triangle(n: int) -> (h: int[n], f: int[?], pairs: int[?]) where n >= 0 {
  let h = hist((+), 0, n) for i in n, j in i { (j, i) }
  let f: int[?] = for i in n, j in i:n if (i + j) % 2 == 0 { 10 * i + j }
  let pairs: int[?] = for i in n, j in n, k in j:i:2 if true { 100 * i + 10 * j + k }
  (h, f, pairs)
}
# The rows of a sparse matrix.
export def rows(off: int[n+1], col: int[e], v: f32[e], w: int[n], m: int)
    -> (h: f32[m], s: f32[m], least: (int, int), most: (int, int)) where n >= 0, m >= 0 {
  let h = hist((+), 0.0, m) for r in n, k in off[r]:off[r+1] { (col[k], v[k]) }
  let s = scatter(zeros(m)) for r in n, k in off[r]:off[r+1] if w[r] > 0 { (col[k], v[k] * w[r]) }
  let least = argmin for r in n, k in off[r]:off[r+1] { v[k] }
  let most = argmax for r in n, k in off[r]:off[r+1] if w[r] > 0 { v[k] }
  (h, s, least, most)
}
# Three levels, a prelude with a value of its own, and inside of another body.
export def deep(n: int) -> (count: int[n], each: int[n, 3], first: (int, int, int)) where n >= 1 {
  let a = for i in n { (i * 7) % 4 }
  let count = hist((+), 0, n) for i in n, j in a[i], k in j:n { (k, 1) }
  let each = for t in n { hist((+), 0, 3, oob = drop) for i in t, j in a[i] { (i + j, 1) } }
  (count, each, argmax for i in n, j in i+1, k in j+1 { i * 100 - j * 10 + k })
}
# One long row among short ones: the work is that of the points.
export def skewed(n: int) -> (total: int, h: int[3]) where n >= 1 {
  let size = for i in n { if i == n // 2 { 10 * n } else { i % 2 } }
  let kept = for i in n, j in size[i] if j % 2 == 0 { 1 }
  (sum(kept), hist((+), 0, 3) for i in n, j in size[i] { ((i + j) % 3, 1) })
}

# R1: h: i64[5] [10, 9, 7, 4, 0]
# R1: f: i64[9] [0, 2, 4, 11, 13, 22, 24, 33, 44]
# R1: pairs: i64[13] [100, 200, 211, 300, 302, 311, 322, 400, 402, 411, 413, 422, 433]
# ONE: h: i64[1] [0]
# ONE: f: i64[1] [0]
# ONE: pairs: i64[0] []
# NONE: h: i64[0] []
# NONE: f: i64[0] []
# ROWS: h: f32[4] [2, -2, 5, 7]
# ROWS: s: f32[4] [1, 0, 0, 7]
# ROWS: least.0: i64 1
# ROWS: least.1: i64 2
# ROWS: most.0: i64 3
# ROWS: most.1: i64 3
# EMPTY: dependent-ranges.arr:{{[0-9]+}}:{{[0-9]+}}: error: argmin of nothing
# DEEP: count: i64[4] [3, 5, 6, 6]
# DEEP: each: i64[4, 3] {{\[\[}}0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 1, 2]]
# DEEP: first.0: i64 3
# DEEP: first.1: i64 0
# DEEP: first.2: i64 0
# SKEWED: total: i64 1100
# SKEWED: h: i64[3] [699, 701, 700]
