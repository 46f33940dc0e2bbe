# Scans of rows by lanes, warps and blocks: of sums and extrema, with values that
# are no numbers, exclusive, and by an operator on pairs that does not commute.
# RUN: arrc run %s --check --entry floats n=3 m=50 | FileCheck %s
# RUN: arrc run %s --check --entry whole n=70 m=4 | FileCheck %s
# RUN: arrc run %s --check --entry whole n=5 m=0 | FileCheck %s
# RUN: arrc run %s --check --entry pairs n=5 m=257 | FileCheck %s
# RUN: arrc run %s --check --entry pairs n=1 m=66000 | FileCheck %s
# CHECK: out
export def floats(n: int, m: int) -> (f32[n, m], f64[n, m], f32[n, m]) {
  let x = for i in n, j in m { f32((i * 7 + j * 3) % 11) - 4.0 }
  let z = for i in n, j in m { if (i + j) % 41 == 40 { f32(nan) } else { f32((i * 7 + j * 29) % 101) } }
  (scan((+), x, axis = 1), scan((+), for i in n, j in m { f64(x[i, j]) }, axis = 1), scan(max, z, axis = 1))
}
export def whole(n: int, m: int) -> (i32[n, m], i64[n, m], i32[n, m]) {
  let y = for i in n, j in m { i32((i * 5 + j * 13) % 17) - 8 }
  (for i { exscan((+), 3, y[i]) }, scan((+), for i in n, j in m { i64(y[i, j]) }, axis = 1), scan(min, y, axis = 1))
}
export def pairs(n: int, m: int) -> i32[n, m] = for i in n {
  let op = fn(a, b) => (a.0 * b.0, a.1 * b.0 + b.1)
  let s = scan(op, for j in m { (i32((i + j) % 5) - 2, i32((i * 3 + j) % 7)) })
  s.1
}
export def softmax(n: int, m: int) -> f32[n, m] {
  let a = for i in n, j in m { f32((i * 7 + j * 3) % 11) - 4.0 }
  for i in n {
    let hi = max(a[i])
    let e = for j in m { exp(a[i, j] - hi) }
    let s = sum(e)
    for j in m { e[j] / s }
  }
}
