# A state of fields of several types: a loop that swaps it, and one in another
# that goes on with what the first one made.
# RUN: arrc run %s --check 'q0.h=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]' 'q0.on=[[true, false], [true, true], [false, false]]' 'q0.v=[[[1.0, 0.0, 2.0], [1.0, 1.0, 1.0]], [[0.0, 0.0, 4.0], [2.0, 1.0, 0.0]], [[8.0, 0.0, 0.0], [1.0, 1.0, 1.0]]]' 'q0.k=[[0, 1], [2, 3], [4, 5]]' steps=2 | FileCheck %s
# RUN: arrc run %s --check --without kernel-pack-fields 'q0.h=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]' 'q0.on=[[true, false], [true, true], [false, false]]' 'q0.v=[[[1.0, 0.0, 2.0], [1.0, 1.0, 1.0]], [[0.0, 0.0, 4.0], [2.0, 1.0, 0.0]], [[8.0, 0.0, 0.0], [1.0, 1.0, 1.0]]]' 'q0.k=[[0, 1], [2, 3], [4, 5]]' steps=2 | FileCheck %s
struct Cell { h: f64, on: bool, v: f32[3], k: int }

def step(q: Cell[n, m]) -> Cell[n, m] {
  let e = extend(q, wrap, clamp)
  stencil i in n, j in m {
    Cell(h = 0.5 * (e[i-1, j].h + e[i, j+1].h), on = not e[i+1, j].on,
         v = e[i, j-1].v + 0.25 * q[i, j].v, k = q[i, j].k + 1)
  }
}

export def run(q0: Cell[n, m], steps: int) -> (q: Cell[n, m], total: f64) where n >= 1, m >= 1 {
  var q = q0
  loop _ in steps { q = step(q) }
  var t: f64 = 0.0
  loop _ in 2 {
    loop _ in steps { q = step(q) }
    t = t + sum(q.h)
  }
  (q, t)
}

# CHECK: q.on: bool[3, 2] {{\[\[}}true, false], [true, true], [false, false]]
# CHECK: q.k: i64[3, 2] {{\[\[}}6, 7], [8, 9], [10, 11]]
