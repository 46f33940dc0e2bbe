# Histograms whose operator no device combines in memory, in more bins than threads could have copies of: values are sorted by their bins.
# RUN: arrc run %s --entry sums --check 'k=[3, 0, 3, 699]' 'v=[0.5, 1.0, 0.25, 2.0]' m=700 | FileCheck %s --check-prefix=SUMS
# RUN: arrc run %s --entry sums --check 'k=[]' 'v=[]' m=700 | FileCheck %s --check-prefix=NOTHING
# RUN: %exit_code 3 arrc run %s --entry sums 'k=[3, 700]' 'v=[0.5, 1.0]' m=700 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: arrc run %s --entry many --check n=4000 m=600 | FileCheck %s --check-prefix=MANY
# RUN: arrc run %s --entry many --check n=3 m=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --entry wide --check n=4097 | FileCheck %s --check-prefix=WIDE
# RUN: arrc run %s --entry wide --check n=1 | FileCheck %s --check-prefix=WIDE
# RUN: arrc run %s --entry planes --check n=300 m=7 | FileCheck %s --check-prefix=PLANES
# RUN: arrc run %s --entry steps --check n=500 rounds=3 | FileCheck %s --check-prefix=STEPS
export def sums(k: int[n], v: f64[n], m: int) -> f64[m] where m >= 0 {
  hist((+), 0.0, m) for i { (k[i], v[i]) }
}
# SUMS: out: f64[700] {{ *}}min 0 {{ *}}mean 0.00535714 {{ *}}max 2
# NOTHING: out: f64[700] {{ *}}min 0 {{ *}}mean 0 {{ *}}max 0
# OUTSIDE: hist-sorted.arr:12:
# OUTSIDE-SAME: index 700 is outside of a dimension of size 700

def key(i: int, m: int) -> int = if m > 0 { i * i * 7919 % m } else { 0 }

# Products, operators of one's own, complex sums; dropped, clamped and left out.
export def many(n: int, m: int) -> (p: f32[m], own: f32[1100], z: c64[m], low: f64[m], some: f64[m]) where n >= 0, m >= 0 {
  let p = hist((*), 1.0, m, oob = drop) for i in n { (key(i, m) - 3, 1.0 + 0.01 * f32(i % 5)) }
  let own = hist(fn(x, y) => x + y - x * y, 0.0, 1100) for i in n { (i * i % 1100, 0.25 * f32(i % 3)) }
  let z = hist((+), complex(0.0, 0.0), m, oob = drop) for i in n { (key(i, m), complex(f32(i % 4), 1.0)) }
  let low = hist((+), 0.0, m, oob = clamp) for i in n { (i - n // 2, f64(i % 11)) }
  let some = hist((+), 0.0, m, oob = drop) for i in n if i % 3 == 1 { (key(i, m), f64(i % 13)) }
  (p, own, z, low, some)
}
# MANY: p: f32[600]
# MANY: some: f64[600]
# NONE: p: f32[0]

# Bins of 17 bits, of 16 and one behind for what is dropped; values that are an array.
export def wide(n: int) -> (a: f64[100000], b: f64[65536]) where n >= 0 {
  let v = for i in n { f64(i % 13) * 0.125 }
  let a = hist((+), 0.0, 100000) for i in n { (key(i, 100000), v[i]) }
  let b = hist((+), 0.0, 65536, oob = drop) for i in n { (key(i, 70000), v[i] * 2.0) }
  (a, b)
}
# WIDE: a: f64[100000]
# WIDE: b: f64[65536]

# Bins of two dimensions, points of two, and a component that has atomics beside one that has none.
export def planes(n: int, m: int) -> (s: f64[30, 40], c: int[30, 40], f: f64[2000]) where n >= 0, m >= 0 {
  let (s, c) = hist(fn(x, y) => (x.0 + y.0, x.1 + y.1), (0.0, 0), (30, 40)) for i in n, j in m {
    ((i * j % 30, (i + 3 * j) % 40), (f64(i % 7) * 0.125, 1))
  }
  let f = hist((+), 0.0, 2000) for i in n, j in m { ((i * m + j) % 2000, f64(j)) }
  (s, c, f)
}
# PLANES: s: f64[30, 40]
# PLANES: c: i64[30, 40]

# In a time loop, what is added depends on the bins of the step before.
export def steps(n: int, rounds: int) -> f64[900] where n >= 0 {
  var t: f64[900] = zeros(900)
  loop s in rounds {
    let h = hist((+), 0.0, 900) for i in n { (key(i + s, 900), 1.0 + t[key(i, 900)]) }
    t = for j in 900 { 0.5 * t[j] + h[j] }
  }
  t
}
# STEPS: out: f64[900]
