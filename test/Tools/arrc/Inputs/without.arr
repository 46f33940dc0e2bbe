# A chain, a stencil in a time loop, a softmax: something for every optimization.
export def f(a: f32[n, m], steps: i64) -> (u: f32[n, m], soft: f32[n, m], total: f32) {
  var u = a * 0.5 + 1.0
  loop step in steps {
    let v = extend(u, clamp)
    u = stencil i in n, j in m { 0.25 * (v[i-1, j] + v[i+1, j] + v[i, j-1] + v[i, j+1]) }
  }
  let soft = for i in n {
    let hi = max(u[i])
    let e = for j in m { exp(u[i, j] - hi) }
    let s = sum(e)
    for j in m { e[j] / s }
  }
  (u, soft, sum(soft) + max(u))
}
