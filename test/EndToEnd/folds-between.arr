# Folds of rank 4 in several nestings over one array: sums of rows of sums, a
# maximum of maps, squares of sums, products of sums, a maximum of sums.
# RUN: arrc run %s --check p=3 q=4 r=5 s=6 | FileCheck %s
# RUN: arrc run %s --check p=7 q=3 r=33 s=2 | FileCheck %s
# RUN: arrc run %s --check p=1 q=1 r=1 s=1 | FileCheck %s
# RUN: arrc run %s --check p=2 q=0 r=5 s=6 | FileCheck %s
# CHECK: a: f32
# CHECK: g: f32
export def f(p: int, q: int, r: int, s: int)
    -> (a: f32[q, s], b: f32[p, r], c: f32[q, r], d: f32, e: f32, g: f32[s, q]) {
  let x = for i in p, j in q, k in r, l in s { f32((i * 7 + j * 5 + k * 3 + l) % 11) - 5.0 }
  let y = for k in r, l in s { f32((k + 2 * l) % 3) - 1.0 }
  let z = sum(x, axis = 3)
  (sum for i in p, k in r { for j in q, l in s { x[i, j, k, l] * y[k, l] } },
   max for j in q, l in s { for i in p, k in r { -x[i, j, k, l] * x[i, j, k, l] } },
   sum(z * z, axis = 0),
   sum(abs(x)),
   max for i in p { sum(x[i]) },
   for l in s, j in q { prod for i in p { sum for k in r { x[i, j, k, l] } } })
}
