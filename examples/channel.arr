# D2Q9 lattice Boltzmann in a channel with obstacles: the fluid of one row is accelerated, what leaves on one side
# comes in on the other, and the average velocity of every step is kept
const Q = 9
const w:   f32[Q] = [4.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/36, 1.0/36, 1.0/36, 1.0/36]
const cx:  int[Q] = [0, 1, 0, -1, 0, 1, -1, -1, 1]
const cy:  int[Q] = [0, 0, 1, 0, -1, 1, 1, -1, -1]
const opp: int[Q] = [0, 3, 4, 1, 2, 7, 8, 5, 6]

# along x where the row flows, unless it would leave no fluid
def accelerate(f: f32[n, m, Q], wall: bool[n, m], push: f32) -> f32[n, m, Q] where n >= 2 {
  var g = f
  g[n-2] = for j in m {
    let c = f[n-2, j]
    if wall[n-2, j] or (any for q in Q { cx[q] < 0 and c[q] <= push * w[q] }) { c }
    else { for q in Q { c[q] + push * cx[q] * w[q] } }
  }
  g
}

def collide(p: f32[Q], omega: f32) -> f32[Q] {
  let rho = sum(p)
  let u = (sum for q in Q { p[q] * cx[q] }) / rho
  let v = (sum for q in Q { p[q] * cy[q] }) / rho
  for q in Q {
    let cu = 3.0 * (cx[q] * u + cy[q] * v)
    p[q] + omega * (w[q] * rho * (1.0 + cu + 0.5 * cu * cu - 1.5 * (u * u + v * v)) - p[q])
  }
}

def speed(p: f32[Q]) -> f32 {
  let u = sum for q in Q { p[q] * cx[q] }
  let v = sum for q in Q { p[q] * cy[q] }
  sqrt(u * u + v * v) / sum(p)
}

export def channel(wall: bool[n, m], density: f32, push: f32, omega: f32, steps: int) -> (f: f32[n, m, Q], average: f32[steps])
    where n >= 2 {
      let cells = count for i in n, j in m { not wall[i, j] }
      var f: f32[n, m, Q] = for i in n, j in m, q in Q { density * w[q] }
      var average: f32[steps] = zeros(steps)
      loop t in steps {
        let e = extend(accelerate(f, wall, push * density), wrap, wrap, none)
        f = stencil i in n, j in m {
          let p = for q in Q { e[i - cy[q], j - cx[q], q] }
          if wall[i, j] { for q { p[opp[q]] } } else { collide(p, omega) }
        }
        average[t] = (sum for i in n, j in m { if wall[i, j] { 0.0 } else { speed(f[i, j]) } }) / cells
      }
      (f, average)
    }
