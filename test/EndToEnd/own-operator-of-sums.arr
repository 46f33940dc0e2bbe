# An operator of one's own, which may not commute, folds sums of rows: it keeps its order.
# RUN: arrc run %s --check --sanitize 'a=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s
# RUN: arrc run %s --check --sanitize 'a=[[1], [2], [3]]' | FileCheck %s --check-prefix=COLUMN
export def main(a: int[n, m]) -> (r: int[m]) {
  let r = reduce(fn(p, q) => p + q + p * q, (for j in m { 0 })) for i in n {
    sum((for k in m, j in n { a[i, k] }), axis = 1)
  }
  (r)
}
# CHECK: r: i64[3] [26, 54, 90]
# COLUMN: r: i64[1] [279]
