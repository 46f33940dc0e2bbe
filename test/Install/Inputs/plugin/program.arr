export def f(x: f32[n]) -> f32[n] {
  let v = for i { exp(x[i]) }
  for i in n { v[n - 1 - i] * 2.0 }
}
