# Folds of everything beside windows and over windows: vectors along aligned rows
# (from 132 blocks on), rows that begin anywhere, planes a thread, few elements.
# RUN: arrc run %s --entry step n=265 m=1024 | FileCheck %s
# RUN: arrc run %s --check --entry step n=37 m=101 | FileCheck %s
# RUN: arrc run %s --check --entry step n=1 m=1 | FileCheck %s
# RUN: arrc run %s --check --entry step n=300 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry norm n=41 m=133 | FileCheck %s
# RUN: arrc run %s --check --entry norm n=2 m=2 | FileCheck %s
# RUN: arrc run %s --check --entry volume n=17 m=9 k=64 | FileCheck %s
# RUN: arrc run %s --check --entry volume n=3 m=9 k=35 | FileCheck %s
# RUN: arrc run %s --check --entry settle n=21 m=36 | FileCheck %s
export def step(n: int, m: int) -> (next: f64[n, m], change: f64, ok: bool) {
  var t = for i in n, j in m { f64((i * 7 + j * 5) % 32) }
  let u = extend(t, clamp)
  let next = stencil i in n, j in m { 0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) }
  let change = max for i, j { abs(next[i, j] - t[i, j]) }
  (next, change, change < 32.0 and (n == 1 or change > 0.0))
}
export def norm(n: int, m: int) -> (norm: f64, rising: int, ok: bool) {
  var t = for i in n, j in m { f64((i * i + j * 3) % 64) * 0.125 }
  let u = extend(t, 0.0)
  let norm = sum for i in n, j in m { (4.0 * t[i, j] - u[i-1, j] - u[i+1, j] - u[i, j-1] - u[i, j+1]) ** 2 }
  let rising = sum for i in n, j in m { if u[i+1, j] > u[i-1, j] { 1 } else { 0 } }
  (norm, rising, norm > 0.0 and rising <= n * m)
}
export def volume(n: int, m: int, k: int) -> (next: f32[n, m, k], most: f32, total: f32, ok: bool) {
  var t = for i in n, j in m, l in k { f32((i + 3 * j + 5 * l) % 16) }
  let u = extend(t, wrap)
  let next = stencil i in n, j in m, l in k {
    0.125 * (u[i-1, j, l] + u[i+1, j, l] + u[i, j-1, l] + u[i, j+1, l] + u[i, j, l-1] + u[i, j, l+1]
             + 2.0 * u[i, j, l])
  }
  let most = max(next)
  (next, most, sum(next), most <= 15.0)
}
export def settle(n: int, m: int) -> (t: f32[n, m], steps: int, ok: bool) {
  var t = for i in n, j in m { if i == 0 or j == m - 1 { f32(1.0) } else { f32(0.0) } }
  var change: f32 = inf
  var steps = 0
  while change > 0.01 and steps < 5 {
    let work = 0.25 * (t[:end-2, 1:end-1] + t[2:, 1:end-1] + t[1:end-1, :end-2] + t[1:end-1, 2:])
    change = max(abs(work - t[1:end-1, 1:end-1]))
    t[1:end-1, 1:end-1] = work
    steps += 1
  }
  (t, steps, steps > 1)
}
# CHECK: ok: bool true
