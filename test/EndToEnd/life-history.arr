# A life of bools on a torus, counted in every step.
# RUN: arrc run %s --check 'g0=[[false, true, false, false], [false, false, true, false], [true, true, true, false], [false, false, false, false]]' steps=4 | FileCheck %s
# RUN: arrc run %s --check 'g0=[[true]]' steps=2 | FileCheck %s --check-prefix=R2
export def life(g0: bool[n, m], steps: int) -> (g: bool[n, m], alive: int, hist: int[steps]) {
  var g = g0
  var h: int[steps] = zeros(steps)
  loop s in steps {
    let u = extend(g, wrap)
    g = stencil i in n, j in m {
      let k = (count for a in -1:2, b in -1:2 { u[i+a, j+b] }) - int(u[i, j])
      k == 3 or (k == 2 and u[i, j])
    }
    h[s] = count(g)
  }
  (g, count(g), h)
}

# CHECK: g: bool[4,
# CHECK: alive: i64 4
# CHECK: hist: i64[4] [8, 5, 5, 4]
# R2: g: bool[1, 1] {{\[\[}}false{{\]\]}}
# R2: alive: i64 0
# R2: hist: i64[2] [0, 0]
