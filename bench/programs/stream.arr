# What bench/device.py measures: memory-bound maps and folds.
export def saxpy(a: f32, x: f32[n], y: f32[n]) -> f32[n] = a * x + y

# 20 additions, products, minima and maxima, of two inputs
export def chain(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let a = max(min((x[i] + y[i]) * 0.9, 0.8), -0.7)
  let b = max(min((a + x[i]) * 1.1, 0.7), -0.6)
  let c = max(min((b + y[i]) * 0.8, y[i]), -0.5)
  let d = max(min((c + x[i]) * 1.2, 0.6), x[i])
  max(min((d + y[i]) * 0.7, 0.5), -0.4)
}

export def total(x: f32[n]) -> f32 = sum(x)
