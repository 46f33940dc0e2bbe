export def energy(a: f32, x: f32[n], y: f32[n]) -> f32 {
  let v = for i { a * x[i] + y[i] }
  sum(v * v)
}
