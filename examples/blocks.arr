# Stencils in three dimensions with coefficients that are read
# Heat in a material that differs from cell to cell
export def conduct(t0: f32[n, m, l], c: f32[n, m, l], steps: int) -> (t: f32[n, m, l]) {
  var t = t0
  loop _ in steps {
    let e = extend(t, clamp)
    t = stencil i in n, j in m, k in l {
      t[i, j, k] + c[i, j, k] * (e[i-1, j, k] + e[i+1, j, k] + e[i, j-1, k] + e[i, j+1, k]
                                 + e[i, j, k-1] + e[i, j, k+1] - 6.0 * t[i, j, k])
    }
  }
  t
}
# A window whose weights are an input
export def weigh(u: f32[n, m, l], w: f32[3, 3, 3], steps: int) -> (u: f32[n, m, l]) {
  var v = u
  loop _ in steps {
    let e = extend(v, 0.0)
    v = stencil i in n, j in m, k in l { sum for a in 3, b in 3, c in 3 { w[a, b, c] * e[i + a - 1, j + b - 1, k + c - 1] } }
  }
  v
}
# The mean of each cube of k^3 cells: a coarser picture
export def coarsen(u: f32[n, m, l], k: int) -> f32[n // k, m // k, l // k] where k >= 1 =
  for i in n // k, j in m // k, h in l // k { sum for a in k, b in k, c in k { u[i * k + a, j * k + b, h * k + c] } } / f32(k) ** 3
