# Dimensions that are walked together: maps of any rank, sums over neighbouring
# axes, broadcasts, permutations, rows kept for a second pass; sizes 0 and 1.
# RUN: arrc run %s --check n=3 m=5 | FileCheck %s
# RUN: arrc run %s --check n=1 m=1 | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check n=0 m=2 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check n=2 m=0 | FileCheck %s --check-prefix=EMPTY
# RUN: arrc run %s --check n=37 m=67 | FileCheck %s --check-prefix=LARGE
struct P { x: f32, k: int }

def values(n: int, m: int) -> f32[n, m, 2, 3] =
  for i in n, j in m, k in 2, l in 3 { f32((i * 7 + j * 5 + k * 3 + l) % 11) }

export def f(n: int, m: int) -> (
    map: f32[n, m, 2, 3], mask: bool[n, m, 2, 3], complex: c64[n, m], points: int[n, m],
    wide: f32[n, m], rows: f32[n], outer: f32[2, 3], middle: f32[n, 2, 3], all: f32,
    shifted: f32[n, m, 2, 3], turned: f32[m, 2, 3, n], softened: f32[n, m, 2, 3],
    twice: f32[n, m, 2, 3], joined: f32[n + n, m, 2, 3], changed: f32[n + 2, m, 2, 3],
    inner: f32[n, m, 2, 3]) {
  let a = values(n, m)
  let v = for k in 2, l in 3 { f32(k * 3 + l) }
  let p = for i in n, j in m { P(a[i, j, 0, 0], i * m + j) }
  var t = a
  let x = extend(a, clamp)
  var c = values(n + 2, m)
  c[1:n + 1] = t
  loop s in 3 {
    t = t * 0.5 + 1.0
  }
  (a * 2.0 + 1.0, a > 5.0, for i in n, j in m { complex(a[i, j, 0, 1], a[i, j, 1, 0]) },
   for q in p { q.k + int(q.x) },
   sum(a, axis = (2, 3)), sum(a, axis = (1, 2, 3)), sum(a, axis = (0, 1)), sum(a, axis = 1), sum(sum(sum(sum(a, axis = 0), axis = 0), axis = 0)),
   for i in n, j in m, k in 2, l in 3 { a[i, j, k, l] + v[k, l] }, transpose(a, 1, 2, 3, 0),
   for i in n { let e = exp(a[i] - max(a[i]))
                e / sum(e) },
   t, concat(a, t, axis = 0), c, for i in n { for j in m, k in 2, l in 3 { x[i - 1, j, k, l] + x[i + 1, j, k, l] } })
}

# CHECK: map: f32[3, 5, 2, 3]
# CHECK: rows: f32[3] [144, 156, 146]
# ONE: map: f32[1, 1, 2, 3] {{\[\[\[\[}}1, 3, 5], [7, 9, 11]]]]
# ONE: mask: bool[1, 1, 2, 3] {{\[\[\[\[}}false, false, false], [false, false, false]]]]
# ONE: complex: c64[1, 1]
# ONE: wide: f32[1, 1] {{\[\[}}15]]
# ONE: all: f32 15
# NONE: map: f32[0, 2, 2, 3] []
# NONE: outer: f32[2, 3] {{\[\[}}0, 0, 0], [0, 0, 0]]
# NONE: all: f32 0
# EMPTY: map: f32[2, 0, 2, 3] []
# EMPTY: rows: f32[2] [0, 0]
# EMPTY: middle: f32[2, 2, 3]
# LARGE: map: f32[37, 67, 2, 3]
