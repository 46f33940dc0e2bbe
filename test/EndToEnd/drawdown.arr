# A scan and a fold of it in one body, along rows and along columns; the last is Kadane's sum.
# RUN: arrc run %s --check 'x=[[1.0, 5.0, 2.0, 4.0], [3.0, 1.0, 6.0, 0.0]]' | FileCheck %s
# RUN: arrc run %s --check 'x=[[1.0], [5.0], [2.0]]' | FileCheck %s --check-prefix=COLUMN
export def drawdown(x: f64[n, m]) -> (rows: f64[n], columns: f64[m], best: f64) where n >= 1, m >= 1 {
  let rows = for i in n {
    let peak = scan(max, x[i])
    max(peak - x[i])
  }
  let columns = for j in m {
    let column = x[0:n, j]
    max(scan(max, column) - column)
  }
  let s = scan((+), flatten(x) - 2.0)
  (rows, columns, max(s - exscan(min, 0.0, s)))
}

# CHECK: rows: f64[2] [3, 6]
# CHECK: columns: f64[4] [0, 4, 0, 4]
# CHECK: best: f64 9
# COLUMN: rows: f64[3] [0, 0, 0]
# COLUMN: columns: f64[1] [3]
