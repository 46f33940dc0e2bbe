# Maps and folds that the memory bounds: what bench/run.py measures first.
export def saxpy(a: f32, x: f32[n], y: f32[n]) -> f32[n] = a * x + y

# 20 additions, products, minima and maxima, of two inputs
export def chain(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let a = max(min((x[i] + y[i]) * 0.9, 0.8), -0.7)
  let b = max(min((a + x[i]) * 1.1, 0.7), -0.6)
  let c = max(min((b + y[i]) * 0.8, y[i]), -0.5)
  let d = max(min((c + x[i]) * 1.2, 0.6), x[i])
  max(min((d + y[i]) * 0.7, 0.5), -0.4)
}

# The same with one function that the card computes slowly, and with four
def first(x: f32, y: f32) -> f32 {
  let a = max(min((x + y) * 0.9, 0.8), -0.7)
  max(min((a + x) * 1.1, 0.7), -0.6)
}
def last(c: f32, x: f32, y: f32) -> f32 {
  let d = max(min((c + y) * 0.8, y), -0.5)
  let e = max(min((d + x) * 1.2, 0.6), x)
  max(min((e + y) * 0.7, 0.5), -0.4)
}
export def chain_exp(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let b = first(x[i], y[i])
  last(exp(b * b + 0.5), x[i], y[i])
}
export def chain_log(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let b = first(x[i], y[i])
  last(log(b * b + 0.5), x[i], y[i])
}
export def chain_sqrt(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let b = first(x[i], y[i])
  last(sqrt(b * b + 0.5), x[i], y[i])
}
export def chain_erf(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let b = first(x[i], y[i])
  last(erf(b * b + 0.5), x[i], y[i])
}
export def chain_all(x: f32[n], y: f32[n]) -> f32[n] = for i in n {
  let a = max(min((x[i] + y[i]) * 0.9, 0.8), -0.7)
  let b = max(min((exp(a) + x[i]) * 1.1, 0.7), -0.6)
  let c = max(min((log(b * b + 0.5) + y[i]) * 0.8, y[i]), -0.5)
  let d = max(min((sqrt(c * c + 0.5) + x[i]) * 1.2, 0.6), x[i])
  max(min((erf(d) + y[i]) * 0.7, 0.5), -0.4)
}

# Black-Scholes: prices of calls and puts
@fast
export def options(s: f32[n], k: f32[n], t: f32[n], r: f32, v: f32) -> (call: f32[n], put: f32[n]) = for i in n {
  let w = v * sqrt(t[i])
  let d1 = (log(s[i] / k[i]) + (r + 0.5 * v * v) * t[i]) / w
  let d2 = d1 - w
  let n1 = 0.5 * (1.0 + erf(d1 * 0.70710678))
  let n2 = 0.5 * (1.0 + erf(d2 * 0.70710678))
  let e = k[i] * exp(-r * t[i])
  (s[i] * n1 - e * n2, e * (1.0 - n2) - s[i] * (1.0 - n1))
}

export def total(x: f32[n]) -> f32 = sum(x)
