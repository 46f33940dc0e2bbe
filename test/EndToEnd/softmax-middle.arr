# Softmax over the middle of three dimensions, whole arrays and column by column.
# RUN: arrc run %s --check --entry same a=3 m=37 c=5 | FileCheck %s
# RUN: arrc run %s --check --entry same a=1 m=1 c=1 | FileCheck %s
# RUN: arrc run %s --check --entry same a=2 m=130 c=70 | FileCheck %s
# RUN: arrc run %s --check --entry same a=2 m=5 c=0 | FileCheck %s
def whole(x: f32[a, m, c]) -> f32[a, m, c] {
  let hi = max(x, axis = 1)
  let e = for i, j, k { exp(x[i, j, k] - hi[i, k]) }
  let s = sum(e, axis = 1)
  for i, j, k { e[i, j, k] / s[i, k] }
}
def columns(x: f32[a, m, c]) -> f32[a, m, c] =
  transpose(for i in a, k in c {
    let column = x[i, 0:m, k]
    let e = exp(column - max(column))
    e / sum(e)
  }, 0, 2, 1)
export def same(a: int, m: int, c: int) -> (close: bool) {
  let x = for i in a, j in m, k in c { 4.0 * sin(f32(i + 5 * j + 3 * k)) }
  all(abs(whole(x) - columns(x)) < 1e-6)
}

# CHECK: close: bool true
