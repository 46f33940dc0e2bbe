export def softened(x: f32[n, m], steps: int) -> (y: f32[n, m], norm: f32) {
  var y = x
  loop _ in steps {
    let total = sum(exp(y), axis = 1)
    y = for i, j { exp(y[i, j]) / total[i] }
  }
  let norm = sum(y * y)
  (y / sqrt(norm), norm)
}
