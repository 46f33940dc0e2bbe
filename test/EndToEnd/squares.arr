# Maps that store along one dimension and load along another: squares of
# elements, and what is left of them; rows that are too short for lanes.
# RUN: arrc run %s --check --entry turned n=33 m=47 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=16 m=16 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=15 m=64 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=1000 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=0 m=20 | FileCheck %s
# RUN: arrc run %s --check --entry turned n=1 m=1 | FileCheck %s
# RUN: arrc run %s --check --entry planes k=3 n=40 m=19 | FileCheck %s
export def turned(n: int, m: int) -> (a: f32[m, n], b: i8[m, n], c: f64[n, m], ok: bool) {
  let x = for i in n, j in m { f32((7 * i + 3 * j) % 19) }
  let y = for i in n, j in m { i8((5 * i + j) % 23) }
  let w = for j in m { f64(j) }
  (transpose(x), for j in m, i in n { y[i, j] + 1 }, for i in n, j in m { f64(x[i, j]) * w[j] + f64(i) },
   true)
}
export def planes(k: int, n: int, m: int) -> (a: f32[k, m, n], b: f32[m, k, n], ok: bool) {
  let x = for l in k, i in n, j in m { f32((7 * i + 3 * j + l) % 19) }
  (transpose(x, 0, 2, 1), transpose(x, 2, 0, 1), true)
}

# CHECK: ok: bool true
