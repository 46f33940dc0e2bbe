# Mean and variance by merging, of everything, of rows and of columns.
# RUN: arrc run %s --check 'x=[[1.0, 2.0, 4.0], [3.0, 5.0, 9.0]]' | FileCheck %s
struct MS { m: f64, s: f64, n: f64 }
def merge(a: MS, b: MS) -> MS {
  let n = a.n + b.n
  let d = b.m - a.m
  if n == 0.0 { a } else { MS(m = a.m + d * b.n / n, s = a.s + b.s + d * d * a.n * b.n / n, n = n) }
}
export def var_(x: f64[n, m]) -> (v: f64, mean: f64, rows: f64[n], cols: f64[m]) {
  let z = MS(0.0, 0.0, 0.0)
  let t = reduce(merge, z) for i, j { MS(x[i, j], 0.0, 1.0) }
  let rows = for i in n { (reduce(merge, z) for j in m { MS(x[i, j], 0.0, 1.0) }).s / m }
  let cols = for j in m { (reduce(merge, z) for i in n { MS(x[i, j], 0.0, 1.0) }).m }
  (t.s / t.n, t.m, rows, cols)
}

# CHECK: v: f64
# CHECK: mean: f64 4
# CHECK: rows: f64[2]
# CHECK: cols: f64[3] [2, 3.5, 6.5]
