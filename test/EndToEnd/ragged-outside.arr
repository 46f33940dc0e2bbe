# An index outside of a row, of the rows, and a row of another size.
# RUN: %exit_code 3 arrc run %s n=5 at=2 place=2 k=0 2>&1 | FileCheck %s --check-prefix=ROW
# ROW: index 2 is outside of a row of size 2
# RUN: %exit_code 3 arrc run %s n=5 at=5 place=0 k=0 2>&1 | FileCheck %s --check-prefix=ROWS
# ROWS: index 5 is outside of a dimension of size 5
# RUN: %exit_code 3 arrc run %s n=5 at=2 place=0 k=3 2>&1 | FileCheck %s --check-prefix=SIZE
# SIZE: a row keeps its size: it is 1, and 3 are assigned
# RUN: %exit_code 3 arrc run %s n=5 at=2 place=0 k=-1 2>&1 | FileCheck %s --check-prefix=EQUAL
# EQUAL: the sizes differ in elementwise '+'
# RUN: arrc run %s --check n=5 at=2 place=1 k=1 2>&1 | FileCheck %s --check-prefix=OK
# OK: check: ok
export def f(n: int, at: int, place: int, k: int) -> (e: int, all: int[?]) {
  var r: int[n, ?] = for i in n { for j in i { i * j } }
  let e = r[at, place]
  if k > 0 { r[1] = for q in k { 7 + q } }
  let d: int[n, ?] = for i in n { for j in if k < 0 { i + 1 } else { i } { j } }
  (e, flatten(r + d))
}
