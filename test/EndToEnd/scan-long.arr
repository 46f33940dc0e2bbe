# Scans of lengths around those of vectors and of blocks: of everything, of rows,
# of columns, exclusive, of pairs, and by an operator that does not commute.
# RUN: arrc run %s --check --entry f n=1 m=1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry f n=17 m=33 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry f n=130 m=129 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry f n=3 m=16385 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry f n=5 m=0 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry last n=40000 | FileCheck %s --check-prefix=LAST
# OK: all: i64
# LAST: sum: i64 119999
# LAST: best: i64 6
def value(i: int, j: int) -> int = (i * 5 + j * 3) % 7

export def f(n: int, m: int) -> (all: int[n * m], rows: int[n, m], columns: int[n, m],
                                 top: int[n * m], turns: int[n, m]) {
  let a = for i in n, j in m { value(i, j) }
  let flat = for k in n * m { value(k, 1) }
  (scan((+), flat), scan((+), a, axis = 1), scan((+), a, axis = 0), scan(max, flat),
   for i in n, j in m { a[i, j] })
}

export def last(n: int) -> (sum: int, best: int) {
  let a = for k in n { value(k, 0) }
  let s = scan((+), a)
  let t = scan(max, a)
  (s[n - 1], t[n - 1])
}
