# A cellular automaton in three dimensions with another edge in each, and its population.
# RUN: arrc run %s --check 'u=[[[1, 1, 0], [0, 1, 1]], [[0, 1, 0], [1, 1, 0]], [[0, 0, 0], [1, 0, 0]]]' steps=3 | FileCheck %s
# RUN: arrc run %s --check 'u=[[[1]]]' steps=1 | FileCheck %s --check-prefix=ONE
export def automaton(u: u8[a, b, c], steps: int) -> (v: u8[a, b, c], population: int[steps]) {
  var v = u
  var population: int[steps] = zeros(steps)
  loop t in steps {
    let e = extend(v, wrap, mirror, u8(0))
    let next = for i in a, j in b, k in c {
      let block = sum for p in -1:2, q in -1:2, r in -1:2 { int(e[i+p, j+q, k+r]) }
      let around = block - int(v[i, j, k])
      u8(select(around % 3 == 1, 1, 0))
    }
    v = next
    population[t] = sum for i, j, k { int(next[i, j, k]) }
  }
  (v, population)
}

# CHECK: v: u8[3, 2, 3] {{\[\[}}[0, 0, 0], [0, 1, 0]], {{\[}}[1, 0, 0], [1, 1, 0]], {{\[}}[1, 0, 0], [1, 1, 0{{\]\]}}]
# CHECK: population: i64[3] [11, 3, 7]
# ONE: v: u8[1, 1, 1]
