# Operators of one's own on rows: element by element, with others, and on whole rows.
# RUN: arrc run %s --entry either --check 'a=[[0.5, 0.0, 1.0], [0.5, 0.25, 0.5], [0.5, 0.5, 0.0]]' | FileCheck %s
# RUN: arrc run %s --entry either --check 'a=[[0.5]]' | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --entry lists --check n=0 m=3 | FileCheck %s --check-prefix=NOTHING
# RUN: arrc run %s --entry lists --check n=40 m=0 | FileCheck %s --check-prefix=EMPTY
# RUN: arrc run %s --entry lists --check n=100 m=70 | FileCheck %s --check-prefix=LISTS
# RUN: arrc run %s --entry products --check n=30 m=9 | FileCheck %s --check-prefix=PRODUCTS
# RUN: arrc run %s --entry nested --check n=6 m=70 steps=2 | FileCheck %s --check-prefix=NESTED
export def either(a: f32[n, m]) -> (r: f32[m], s: f32[n, m], e: f32[n, m]) {
  let r = reduce(fn(x, y) => x + y - x * y, zeros(m)) for i { a[i] }
  let s = scan(fn(x, y) => x + y - x * y) for i { a[i] }
  let e = exscan(fn(x, y) => x + y - x * y, zeros(m)) for i { a[i] }
  (r, s, e)
}
# CHECK: r: f32[3] [0.875, 0.625, 1]
# CHECK: s: f32[3, 3] {{\[\[}}0.5, 0, 1], [0.75, 0.25, 1], [0.875, 0.625, 1{{\]\]}}
# CHECK: e: f32[3, 3] {{\[\[}}0, 0, 0], [0.5, 0, 1], [0.75, 0.25, 1{{\]\]}}
# ONE: r: f32[1] [0.5]

# The row with the least first number; mean and variance of columns.
export def lists(n: int, m: int) -> (key: int, row: int[m], count: f64, mean: f64[m], square: f64[m], groups: int[3, m]) where n >= 0, m >= 0 {
  let a = for i in n, j in m { (7 * i + 3 * j) % 11 }
  let least = reduce(fn(x, y) => if x.0 <= y.0 { x } else { y }, (1000, zeros(m))) for i in n { ((5 * i + 3) % 31, a[i]) }
  let moments = reduce(fn(x, y) {
    let both = x.0 + y.0
    let part = if both > 0.0 { y.0 / both } else { 0.0 }
    let d = y.1 - x.1
    (both, x.1 + d * part, x.2 + y.2 + d * d * (x.0 * part))
  }, (f64(0.0), f64(zeros(m)), f64(zeros(m)))) for i in n { (f64(1.0), f64(a[i]), f64(zeros(m))) }
  let groups = hist(fn(x, y) => bitxor(x, y), zeros(m), 3) for i in n { (i % 3, a[i]) }
  (least.0, least.1, moments.0, moments.1, moments.2, groups)
}
# NOTHING: key: i64 1000
# NOTHING: row: i64[3] [0, 0, 0]
# EMPTY: count: f64 40
# LISTS: key: i64 0
# LISTS: count: f64 100

# Whole rows: products of matrices, small and of any size, all, each prefix, by groups.
def times(x: f64[k, k], y: f64[k, k]) -> f64[k, k] = x @ y
export def products(n: int, m: int) -> (p: f64[2, 2], h: f64[3, 2, 2], q: f64[m, m], s: f64[n, m, m], g: f64[3, m, m], c: (f64[3], f64[3])) where n >= 0, m >= 0 {
  let a = for i in n, j in 2, k in 2 { 0.6 * f64(uniform(1, k, j, i)) }
  let b = for i in n, j in m, k in m { 0.2 * f64(uniform(2, k, j, i)) }
  let one = for j in m, k in m { f64(int(j == k)) }
  let p = reduce(times, [[1.0, 0.0], [0.0, 1.0]]) for i in n { a[i] }
  let h = hist(times, [[1.0, 0.0], [0.0, 1.0]], 3) for i in n { (i % 3, a[i]) }
  let q = reduce(times, one) for i in n { b[i] }
  let s = scan(times) for i in n { b[i] }
  let g = hist(times, one, 3, oob = drop) for i in n { (i % 4, b[i]) }
  let c = hist(fn(x, y) => (x.0 * y.0, x.1 * y.0 + y.1), (f64(1.0), f64(0.0)), 3) for i in n { (i % 3, (a[i, 0, 0], a[i, 0, 1])) }
  (p, h, q, s, g, (c.0, c.1))
}
# PRODUCTS: p: f64[2, 2]
# PRODUCTS: s: f64[30, 9, 9]

# In bodies and time loops.
export def nested(n: int, m: int, steps: int) -> (r: f32[n, m], s: f32[n, n, m], t: f32[m]) where n >= 0, m >= 0, steps >= 0 {
  let a = for i in n, j in m { uniform(1, j, i) }
  let r = for k in n { reduce(fn(x, y) => x + y - x * y, zeros(m)) for i in n { for j in m { a[i, j] * (1.0 / (k + 1)) } } }
  let s = for k in n { scan(fn(x, y) => reverse(reverse(x) + reverse(y))) for i in n { for j in m { a[i, j] * k } } }
  var t = zeros(m)
  loop q in steps {
    t = reduce(fn(x, y) => x + y - x * y, 0.5 * t) for i in n { 0.5 * a[i] }
  }
  (r, s, t)
}
# NESTED: r: f32[6, 70]
# NESTED: s: f32[6, 6, 70]
# NESTED: t: f32[70]
