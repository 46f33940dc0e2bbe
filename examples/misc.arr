# Short functions, one idea each; nothing is exported
def clampi(x: int, hi: int) -> int = if x < 0 { 0 } else if x > hi { hi } else { x }
def dot(a: f32[n], b: f32[n]) -> f32 = sum(a * b)
def prefix(a: f32[n]) -> f32[n] = scan((+)) for i { a[i] }
def positives(a: f32[n]) -> f32[?] = for x in a if x > 0.0 { x }
def spmv(vals: f32[nnz], col: int[nnz], row: int[n+1], x: f32[m]) -> f32[n] =
  for i in n { sum for k in row[i]:row[i+1] { vals[k] * x[col[k]] } }
def mc_pi(n: int, seed: int) -> f64 {
  let hits = sum for i in n {
    let x = uniform(seed, i, 0)
    let y = uniform(seed, i, 1)
    if x*x + y*y < 1.0 { 1 } else { 0 }
  }
  4.0 * f64(hits) / f64(n)
}
def diff(a: f32[n]) -> f32[n-1] = a[1:n] - a[0:n-1]
def wave(u: f32[n], c: f32[n]) -> f32[n] where n >= 3 {
  var v = u
  v[1:n-1] = for i in 1:n-1 { u[i] + c[i] * (u[i-1] - 2.0*u[i] + u[i+1]) }
  v
}
def norms(p: f32[n, 3]) -> (f32[n], int) {
  let (r, _) = for i in n { (sqrt(sum(p[i] * p[i])), i) }
  let worst = argmax(r)
  (r, worst)
}
def pipe(a: f32[n]) -> f32 =
  a |> exp
    |> sum
def relu(x: f32) -> f32 = max(x, 0.0)
def layer(w: f32[n, m], x: f32[m], b: f32[n]) -> f32[n] =
  relu(for i { b[i] + sum for j { w[i, j] * x[j] } })
def colsum(a: f32[n, m]) -> f32[m] = sum(a, axis = 0)
def kmax(op: fn(f32, f32) -> f32, a: f32[n]) -> f32 = reduce(op, 0.0, a)
def use_kmax(a: f32[n]) -> f32 = kmax(fn(x, y) => if abs(x) > abs(y) { x } else { y }, a)
