# Softmax by one fold that does not commute, beside maps over the same dimension.
# RUN: arrc run %s --check --entry rows 'x=[[0.0, 0.0], [1.0, 1.0]]' | FileCheck %s --check-prefix=ROWS
# RUN: arrc run %s --check --entry sums n=7 m=41 | FileCheck %s --check-prefix=SUMS
# RUN: arrc run %s --check --entry sums n=3 m=1 | FileCheck %s --check-prefix=SUMS
# RUN: arrc run %s --check --entry sums n=2 m=300 | FileCheck %s --check-prefix=SUMS
def join(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
  let m = max(a.0, b.0)
  (m, a.1 * exp(a.0 - m) + b.1 * exp(b.0 - m))
}
def softmax(x: f32[n, m]) -> f32[n, m] = for i in n {
  let (hi, z) = reduce(join, (-3.0e38, 0.0)) for j in m { (x[i, j], 1.0) }
  for j in m { exp(x[i, j] - hi) / z }
}
export def rows(x: f32[n, m]) -> f32[n, m] = softmax(x)
export def sums(n: int, m: int) -> (close: bool) {
  let p = softmax(for i in n, j in m { 10.0 * sin(f32(i + 3 * j)) })
  all for i in n { abs(sum(p[i]) - 1.0) < 1e-4 }
}

# ROWS: out: f32[2, 2] {{\[\[}}0.5, 0.5], [0.5, 0.5{{\]\]}}
# SUMS: close: bool true
