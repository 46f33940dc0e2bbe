# Histograms of rows: into f32[k, m] bins, of several values, in bodies and time loops.
# RUN: arrc run %s --entry sums --check 'a=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]' 'b=[1, 0, 1]' | FileCheck %s --check-prefix=SUMS
# RUN: arrc run %s --entry sums --check 'a=[[1.0]]' 'b=[1]' | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --entry nothing --check n=0 m=2 | FileCheck %s --check-prefix=NOTHING
# RUN: arrc run %s --entry nothing --check n=3 m=0 | FileCheck %s --check-prefix=EMPTY
# RUN: %exit_code 3 arrc run %s --entry outside 'a=[[1.0], [2.0]]' 'b=[0, 2]' 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: arrc run %s --entry kinds --check n=300 m=7 | FileCheck %s --check-prefix=KINDS
# RUN: arrc run %s --entry means --check n=500 m=5 steps=3 | FileCheck %s --check-prefix=MEANS
# RUN: arrc run %s --entry nested --check n=20 m=9 | FileCheck %s --check-prefix=NESTED
export def sums(a: f32[n, m], b: int[n]) -> (s: f32[2, m], c: int[2], dropped: f32[1, m], clamped: f32[1, m], kept: f32[2, m], started: f32[2, 1, m]) {
  let t = hist((+), (zeros(m), 0), 2) for i { (b[i], (a[i], 1)) }
  let dropped = hist((+), zeros(m), 1, oob = drop) for i { (b[i], a[i]) }
  let clamped = hist((+), zeros(m), 1, oob = clamp) for i { (b[i], a[i]) }
  let kept = hist((+), zeros(m), 2) for i in n if a[i, 0] > 1.0 { (b[i], a[i]) }
  let started = hist((+), for j in m { f32(j) }, (2, 1)) for i { ((b[i], 0), a[i]) }
  (t.0, t.1, dropped, clamped, kept, started)
}
# SUMS: s: f32[2, 3] {{\[\[}}4, 5, 6], [8, 10, 12{{\]\]}}
# SUMS: c: i64[2] [1, 2]
# SUMS: dropped: f32[1, 3] {{\[\[}}4, 5, 6{{\]\]}}
# SUMS: clamped: f32[1, 3] {{\[\[}}12, 15, 18{{\]\]}}
# SUMS: kept: f32[2, 3] {{\[\[}}4, 5, 6], [7, 8, 9{{\]\]}}
# SUMS: started: f32[2, 1, 3] {{\[\[\[}}4, 6, 8{{\]\]}}, {{\[\[}}8, 11, 14{{\]\]\]}}
# ONE: s: f32[2, 1] {{\[\[}}0], [1{{\]\]}}

export def nothing(n: int, m: int) -> int[3, m] where n >= 0, m >= 0 {
  hist(max, full(-1, m), 3) for i in n { (i, for j in m { i + j }) }
}
# NOTHING: out: i64[3, 2] {{\[\[}}-1, -1], [-1, -1], [-1, -1{{\]\]}}
# EMPTY: out: i64[3, 0]

export def outside(a: f32[n, m], b: int[n]) -> f32[2, m] {
  hist((+), zeros(m), 2) for i { (b[i], a[i]) }
}
# OUTSIDE: index 2 is outside of a dimension of size 2

# Elements of all kinds, rows of two dimensions, ranges that depend on others.
export def kinds(n: int, m: int) -> (low: int[4, m, 2], z: c64[4, m], h: f16[4, m], any: bool[4, m], far: f64[4, m]) where n >= 0, m >= 0 {
  let low = hist(min, full(100, m, 2), 4) for i in n { (i * i % 4, for j in m, l in 2 { (i + j) * (1 - 2 * l) }) }
  let z = hist((*), ones(m), 4) for i in n { (i % 4, for j in m { complex(0.0, f32(1 - 2 * (j % 2))) }) }
  let h = hist((+), zeros(m), 4) for i in n { (i % 3, for j in m { f16(0.25 * (j % 2)) }) }
  let any = hist((or), full(false, m), 4) for i in n { (i % 4, for j in m { i % 7 == j }) }
  let far = hist((+), zeros(m), 4) for i in n, l in i % 3 { (l, for j in m { f64(i - j) }) }
  (low, z, h, any, far)
}
# KINDS: low: i64[4, 7, 2]

# The sum of the rows of each group by their number, again in every step.
export def means(n: int, m: int, steps: int) -> f32[3, m] where n >= 0, m >= 0, steps >= 0 {
  let a = for i in n, j in m { uniform(1, j, i) }
  var c = zeros(3, m)
  loop t in steps {
    let s = hist((+), (zeros(m), 0), 3) for i in n { ((i + t) * i % 3, (for j in m { a[i, j] - c[i % 3, j] }, 1)) }
    c = for g in 3, j in m { 0.5 * c[g, j] + s.0[g, j] / max(s.1[g], 1) }
  }
  c
}
# MEANS: out: f32[3, 5]

# In bodies; rows that need a sum of their own.
export def nested(n: int, m: int) -> (s: f32[n, 3, m], t: f32[3, m]) where n >= 0, m >= 0 {
  let a = for i in n, j in m { 0.5 + uniform(2, j, i) }
  let s = for k in n { hist((+), zeros(m), 3) for i in n { (i * k % 3, for j in m { a[i, j] * k }) } }
  let t = hist((+), zeros(m), 3) for i in n {
    let whole = sum(a[i])
    (i % 3, for j in m { a[i, j] / whole })
  }
  (s, t)
}
# NESTED: s: f32[20, 3, 9]
# NESTED: t: f32[3, 9]
