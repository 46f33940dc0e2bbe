# Folds and scans of arrays whose rows or columns are a few elements, and begin
# anywhere in memory: each number of lanes, rows more than a block has, none, one.
# RUN: arrc run %s --check --entry folds n=4099 m=5 | FileCheck %s
# RUN: arrc run %s --check --entry folds n=2050 m=7 | FileCheck %s
# RUN: arrc run %s --check --entry folds n=1025 m=11 | FileCheck %s
# RUN: arrc run %s --check --entry folds n=1030 m=29 | FileCheck %s
# RUN: arrc run %s --check --entry folds n=77 m=33 | FileCheck %s
# RUN: arrc run %s --check --entry folds n=1 m=6 | FileCheck %s
# RUN: arrc run %s --check --entry folds n=0 m=6 | FileCheck %s
# RUN: arrc run %s --check --entry scans n=4099 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry scans n=8200 m=7 | FileCheck %s
# RUN: arrc run %s --check --entry scans n=8193 m=19 | FileCheck %s
# RUN: arrc run %s --check --entry scans n=600 m=128 | FileCheck %s
# RUN: arrc run %s --check --entry scans n=1 m=1 | FileCheck %s
# RUN: arrc run %s --check --entry planes k=3 n=2100 m=12 | FileCheck %s
# RUN: arrc run %s --check --entry planes k=5 n=300 m=6 | FileCheck %s
export def folds(n: int, m: int)
    -> (a: f32[n], b: f32[m], c: f64[n], d: f64[m], e: int[n], ok: bool) {
  let x = for i in n, j in m { f32((7 * i + 3 * j) % 19) - 4.0 }
  let y = for i in n, j in m { f64((5 * i + 3 * j) % 23) }
  (sum(x, axis = 1), sum(x, axis = 0), max(y, axis = 1), sum(y, axis = 0), argmax(x, axis = 1),
   sum(x) >= -1e30)
}
export def scans(n: int, m: int) -> (a: f32[n, m], b: f64[n, m], ok: bool) {
  let x = for i in n, j in m { f32((7 * i + 3 * j) % 19) - 9.0 }
  let y = for i in n, j in m { f64((5 * i + 3 * j) % 23) }
  (scan((+), x, axis = 0), scan(max, y, axis = 0), true)
}
export def planes(k: int, n: int, m: int) -> (a: f32[k, m], b: f32[k, n, m], ok: bool) {
  let x = for l in k, i in n, j in m { f32((7 * i + 3 * j + l) % 19) - 9.0 }
  (sum(x, axis = 1), scan((+), x, axis = 1), true)
}

# CHECK: ok: bool true
