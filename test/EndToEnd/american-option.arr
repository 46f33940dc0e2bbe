# A tree walked backwards in place: a slice that shrinks by one in each step.
# RUN: arrc run %s --check s=100.0 k=105.0 r=0.05 v=0.2 t=1.0 n=8 | FileCheck %s
export def am(s: f64, k: f64, r: f64, v: f64, t: f64, n: int) -> f64 where n >= 1 {
  let dt = t / n
  let u = exp(v * sqrt(dt))
  let p = (exp(r * dt) - 1.0 / u) / (u - 1.0 / u)
  let disc = exp(-r * dt)
  var x: f64[n+1] = for i in n+1 { max(k - s * u ** (2.0 * i - n), 0.0) }
  loop step in n-1:-1:-1 {
    x[0:step+1] = for i in step+1 { max(disc * (p * x[i+1] + (1.0 - p) * x[i]), k - s * u ** (2.0 * i - step)) }
  }
  x[0]
}

# CHECK: out: f64
