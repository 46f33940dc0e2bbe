# Several loops over columns, written over whole arrays: on a card one kernel,
# whose threads keep the columns; a kernel each where columns are few and long.
# RUN: arrc run %s --check --entry middle a=2 n=5 c=3 | FileCheck %s
# RUN: arrc run %s --check --entry middle a=1 n=1 c=1 | FileCheck %s
# RUN: arrc run %s --check --entry middle a=2 n=5 c=0 | FileCheck %s
# RUN: arrc run %s --check --entry middle a=2 n=70 c=33 | FileCheck %s
# RUN: arrc run %s --check --entry outer n=9 c=300 | FileCheck %s
# RUN: arrc run %s --check --entry outer n=600 c=70 | FileCheck %s
# RUN: arrc run %s --check --entry outer n=0 c=7 | FileCheck %s
# RUN: arrc run %s --check --entry moments n=1 c=1 | FileCheck %s
# RUN: arrc run %s --check --entry moments n=130 c=35 | FileCheck %s
# RUN: arrc run %s --check --entry moments n=2100 c=5 | FileCheck %s
def softmax(x: f32[a, n, c]) -> f32[a, n, c] {
  let hi = max(x, axis = 1)
  let e = for i, j, k { exp(x[i, j, k] - hi[i, k]) }
  let s = sum(e, axis = 1)
  for i, j, k { e[i, j, k] / s[i, k] }
}
export def middle(a: int, n: int, c: int) -> (y: f32[a, n, c], ok: bool) {
  let y = softmax(for i in a, j in n, k in c { 4.0 * sin(f32(i + 5 * j + 3 * k)) })
  (y, all(abs(sum(y, axis = 1) - 1.0) < 1e-5))
}
export def outer(n: int, c: int) -> (y: f64[n, c], s: f64[c], ok: bool) {
  let x = for i in n, j in c { sin(f64(3 * i + j)) }
  let s = sum(x * x, axis = 0)
  let y = for i, j { x[i, j] / sqrt(s[j] + 1e-9) }
  (y, s, all(abs(y) <= 1.0))
}
export def moments(n: int, c: int) -> (mu: f32[c], sd: f32[c], z: f32[n, c], ok: bool) {
  let x = for i in n, j in c { f32((7 * i + 3 * j) % 19) }
  let mu = mean(x, axis = 0)
  let d = for i, j { x[i, j] - mu[j] }
  let sd = sqrt(mean(d * d, axis = 0))
  (mu, sd, for i, j { d[i, j] / (sd[j] + 1.0) }, all(sd < 10.0))
}

# CHECK: ok: bool true
