export def product(a: f32[n, k], b: f32[k, m]) -> f32[n, m] =
  for i in n, j in m { sum for l in k { a[i, l] * b[l, j] } }
