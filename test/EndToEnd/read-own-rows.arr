# Rows that a kernel stores and then reads by a number that is known only then: blocks
# keep them on chip, and fetch nothing that no one has stored.
# RUN: arrc run %s --check --sanitize 'b=[1, 5, 3, 8, 7]' | FileCheck %s
# RUN: arrc run %s --check --sanitize 'b=[]' | FileCheck %s --check-prefix=NONE
export def main(b: int[n]) -> (v: int[n, 3], w: int[n, 3]) {
  let v: int[n, 3] = for j in n { [b[j], 1, 2] }
  let w: int[n, 3] = for j in n { [v[j, b[j] % 3], j, 2] }
  (v, w)
}
# CHECK: v: i64[5, 3] {{\[\[}}1, 1, 2], [5, 1, 2], [3, 1, 2], [8, 1, 2], [7, 1, 2]]
# CHECK: w: i64[5, 3] {{\[\[}}1, 0, 2], [2, 1, 2], [3, 2, 2], [2, 3, 2], [1, 4, 2]]
# NONE: v: i64[0, 3] []
