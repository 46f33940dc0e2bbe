# Folds of folds by another operator, over any axes: a fold does not leave one
# that is not the same.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check a=40 b=50 c=60 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check a=3 b=170 c=41 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check a=90 b=2 c=9 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(a: int, b: int, c: int) -> (f64, f64, f64, f64, f32)
where a > 0, b > 0, c > 0 {
  let p = for i in a, j in b, k in c { f64((i * 37 + j * 91 + k * 7) % 100) * 0.25 }
  (max(sum(p, axis = (0, 2))), min(max(p, axis = (0, 2))), sum(min(p, axis = (0, 2))),
   sum(max(p, axis = (1, 2))), max for j { sum for i, k { f32(p[i, j, k]) } })
}
