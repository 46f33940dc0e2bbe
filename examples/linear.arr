# Linear algebra in double precision: nothing here says f64 twice
export def cg(a: f64[n, n], b: f64[n], tol: f64 = 1.0e-10) -> (x: f64[n], steps: int) {
  var x: f64[n] = zeros(n)
  var (r, p) = (b, b)
  var rr = b @ b
  var k = 0
  while sqrt(rr) > tol and k < 10 * n {
    let ap = a @ p
    let alpha = rr / (p @ ap)
    x = x + alpha * p
    r = r - alpha * ap
    let next = r @ r
    p = r + (next / rr) * p
    rr = next
    k += 1
  }
  (x, k)
}
# one tridiagonal system a row: sequential along the row, parallel over rows
export def thomas(lo: f32[n, m], di: f32[n, m], up: f32[n, m], b: f32[n, m]) -> f32[n, m] where m >= 1 =
  for i in n {
    var c = up[i]
    var d = b[i]
    c[0] = c[0] / di[i, 0]
    d[0] = d[0] / di[i, 0]
    loop k in 1:m {
      let w = di[i, k] - lo[i, k] * c[k-1]
      c[k] = c[k] / w
      d[k] = (d[k] - lo[i, k] * d[k-1]) / w
    }
    loop k in m-2:-1:-1 { d[k] -= c[k] * d[k+1] }
    d
  }
export def spectrum(x: f64[n], freqs: int) -> f64[freqs] {
  let w = -2.0 * pi / n
  for k in freqs { abs(sum for t { x[t] * exp(complex(0.0, w * k * t)) }) }
}
export def moments(x: f32[n]) -> (mean: f32, variance: f32) {
  let (s, s2) = sum for i { (x[i], x[i] * x[i]) }
  let mu = s / n
  (mu, s2 / n - mu * mu)
}
def argmin2(x: (f32, int), y: (f32, int)) -> (f32, int) = if y.0 < x.0 { y } else { x }
export def closest(p: f32[n, 3], q: f32[3]) -> (distance: f32, at: int) {
  let (d, i) = reduce(argmin2, (inf, n)) for k in n { (sqrt(sum((p[k] - q) ** 2)), k) }
  (d, i)
}
export def running_max(a: f32[n, m]) -> f32[n, m] = scan(max, a, axis = 0)
export def field(a: f64[j, k, l, m], b: f64[i, l, m]) -> f64[i, j, k] =
  for p, q, r { sum for s, t { a[q, r, s, t] * b[p, s, t] } }
export def red_black(u0: f32[n, m], rounds: int) -> f32[n, m] where n >= 3, m >= 3 {
  var u = u0
  loop s in 2 * rounds {
    u = for i in n, j in m {
      let edge = i == 0 or j == 0 or i == n - 1 or j == m - 1
      if edge or (i + j + s) % 2 == 0 { u[i, j] } else { 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) }
    }
  }
  u
}
