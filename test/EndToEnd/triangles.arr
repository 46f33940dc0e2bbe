# Rows of a triangle: causal attention, whose scores are computed once for all
# columns, and rows that a body keeps.
# RUN: arrc run %s --check --entry attention 'q=[[1.0,2.0],[0.5,-1.0],[2.0,0.25]]' 'k=[[0.5,1.0],[1.5,-1.0],[0.0,0.25]]' 'v=[[1.0,0.0],[0.0,1.0],[3.0,4.0]]' | FileCheck %s --check-prefix=ATTENTION
# RUN: arrc run %s --check --entry rows n=9 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=1 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=0 | FileCheck %s
# RUN: arrc run %s --check --entry rows n=300 | FileCheck %s
# ATTENTION: o: f32[3, 2] {{\[\[}}1, 0], [0.07585{{[0-9]*}}, 0.92414{{[0-9]*}}],
# CHECK: up: f64
# CHECK: down: f64
export def attention(q: f32[n, d], k: f32[n, d], v: f32[n, d]) -> (o: f32[n, d]) =
  for i in n {
    let hi = max for j in i + 1 { q[i] @ k[j] }
    let total = sum for j in i + 1 { exp(q[i] @ k[j] - hi) }
    for c in d { (sum for j in i + 1 { exp(q[i] @ k[j] - hi) * v[j, c] }) / total }
  }
export def rows(n: int) -> (up: f64[n], down: f64[n]) {
  let x = for i in n { f64((i * 7) % 5) / 4.0 }
  let up = for i in n {
    let r = for j in i + 1 { x[j] * x[i - j] }
    let hi = max(r)
    sum(exp(r - hi))
  }
  let down = for i in n {
    let r = for j in n - i { x[j] * x[i + j] }
    let hi = max(r)
    sum(exp(r - hi))
  }
  (up, down)
}
