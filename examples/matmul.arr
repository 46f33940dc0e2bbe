# Matrix product by index notation
export def matmul(a: f32[n, k], b: f32[k, m]) -> f32[n, m] =
  for i, j { sum for l { a[i, l] * b[l, j] } }
