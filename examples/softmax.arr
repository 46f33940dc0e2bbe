# Softmax of every row: one kernel, the row is read once more from cache
export def softmax(x: f32[n, m]) -> f32[n, m] =
  for i {
    let mx = max for j { x[i, j] }
    let e  = for j { exp(x[i, j] - mx) }
    let s  = sum(e)
    for j { e[j] / s }
  }
