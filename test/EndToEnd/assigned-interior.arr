# The interior of a state is assigned in every step, from its old neighbours; a
# fold reads what is assigned as well.
# RUN: arrc run %s --check --entry heat 'g0=[[4, 4, 4, 4], [0, 1, 2, 0], [0, 3, 5, 0], [0, 8, 8, 0]]' steps=2 eps=0 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry heat 'g0=[[1, 2, 3], [4, 5, 6], [7, 8, 9]]' steps=3 eps=0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry life 's0=[[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]' steps=1 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry largest 'a0=[3, 9, 1, 4, 1, 5]' steps=2 | FileCheck %s --check-prefix=R4
export def heat(g0: f64[n, m], steps: int, eps: f64) -> (g: f64[n, m], delta: f64) where n >= 3, m >= 3 {
  var g = g0
  var delta: f64 = inf
  var it = 0
  while it < steps and delta >= eps {
    let work = 0.25 * (g[:end-2, 1:end-1] + g[2:, 1:end-1] + g[1:end-1, :end-2] + g[1:end-1, 2:])
    delta = sum(abs(work - g[1:end-1, 1:end-1]))
    g[1:end-1, 1:end-1] = work
    it += 1
  }
  (g, delta)
}
export def life(s0: u8[n, m], steps: int) -> u8[n, m] where n >= 3, m >= 3 {
  var s = s0
  loop _ in steps {
    let around = s[:end-2, :end-2] + s[:end-2, 1:end-1] + s[:end-2, 2:] + s[1:end-1, :end-2]
               + s[1:end-1, 2:] + s[2:, :end-2] + s[2:, 1:end-1] + s[2:, 2:]
    let cells = s[1:end-1, 1:end-1]
    s[1:end-1, 1:end-1] = for i, j {
      if around[i, j] == 3 or (cells[i, j] == 1 and around[i, j] == 2) { 1 } else { 0 }
    }
  }
  s
}
# Where the largest of what is assigned is, in the slice's own numbers.
export def largest(a0: int[n], steps: int) -> (a: int[n], at: int) where n >= 2 {
  var a = a0
  var at = 0
  loop _ in steps {
    let sums = for i in n - 1 { a[i] + a[i+1] }
    at = argmax(sums)
    a[1:] = sums
  }
  (a, at)
}

# R1: g: f64[4, 4]
# R2: g: f64[3, 3] {{\[\[}}1, 2, 3], [4, 5, 6], [7, 8, 9]]
# R2: delta: f64 0
# R3: out: u8[5, 5] {{\[\[}}0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
# R4: a: i64[6] [3, 15, 22, 15, 10, 11]
# R4: at: i64 1
