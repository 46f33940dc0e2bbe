# The wake of a cylinder, D2Q9 in double precision: an inflow on the left, an open end on the right
type real = f64
const Q = 9
const w:   real[Q] = [4.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/36, 1.0/36, 1.0/36, 1.0/36]
const cx:  int[Q] = [0, 1, 0, -1, 0, 1, -1, -1, 1]
const cy:  int[Q] = [0, 0, 1, 0, -1, 1, 1, -1, -1]
const opp: int[Q] = [0, 3, 4, 1, 2, 7, 8, 5, 6]

def equilibrium(rho: real, u: real, v: real) -> real[Q] =
  for q in Q {
    let cu = 3.0 * (cx[q] * u + cy[q] * v)
    w[q] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (u * u + v * v))
  }

export def karman(n: int, m: int, reynolds: real, steps: int) -> (u: real[n, m], v: real[n, m]) where n >= 8, m >= 8 {
  let inflow: real = 0.04
  let radius = m / 9.0
  let omega = 1.0 / (3.0 * inflow * radius / reynolds + 0.5)
  # a slight wave across the channel lets the wake swing
  let start: real[m] = for j in m { inflow * (1.0 + 1.0e-4 * sin(2.0 * pi * j / (m - 1))) }
  var f = for i in n, j in m { equilibrium(1.0, start[j], 0.0) }
  var u: real[n, m] = zeros(n, m)
  var v: real[n, m] = zeros(n, m)
  loop _ in steps {
    let e = extend(f, clamp, wrap, none)
    let moved = for i in n, j in m { for q in Q { e[i - cx[q], j - cy[q], q] } }
    let rho = for i, j { sum(moved[i, j]) }
    u = for i in n, j in m { if i == 0 { start[j] } else { (sum for q { moved[i, j, q] * cx[q] }) / rho[i, j] } }
    v = for i in n, j in m { if i == 0 { 0.0 } else { (sum for q { moved[i, j, q] * cy[q] }) / rho[i, j] } }
    let still = for i in n, j in m { equilibrium(rho[i, j], u[i, j], v[i, j]) }
    f = for i in n, j in m {
      let p = moved[i, j]
      let cylinder = (i - 0.25 * n) ** 2 + (j - 0.5 * m) ** 2 < radius ** 2
      if cylinder { for q { p[opp[q]] } }
      else if i == 0 { still[i, j] }
      else { p - omega * (p - still[i, j]) }
    }
  }
  (u, v)
}
