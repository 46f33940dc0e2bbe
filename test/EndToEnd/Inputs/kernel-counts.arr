# Programs and the number of kernels that each becomes on a device; read by
# ../kernel_counts.py. A heading `#--- NAME: COUNT` begins a program;
# `, cpu COUNT` follows where the CPU has more.

# Producers into consumers.
#--- map-into-map: 1
export def f(x: f32[n], y: f32[n]) -> f32[n] {
  let a = x + y
  let b = exp(a) * 2.0
  min(b, x) - y
}
#--- map-into-reduction: 1
export def f(x: f32[n], y: f32[n]) -> f32 = sum((x - y) * (x - y))
#--- map-into-scan: 1
export def f(x: f32[n]) -> f32[n] = scan((+), x * x + 1.0)
#--- map-into-histogram: 2
# The bins are filled first.
export def f(x: f32[n]) -> int[64] {
  let y = exp(x) * 64.0
  hist((+), 0, 64) for i { (clamp(int(y[i]), 0, 63), 1) }
}
#--- map-into-stencil: 1
export def f(x: f32[n, m]) -> f32[n, m] {
  let y = 2.0 * x
  let u = extend(y, clamp)
  stencil i in n, j in m { u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1] }
}
#--- through-slice: 1
export def f(x: f32[n]) -> f32[n-2] where n >= 2 {
  let y = exp(x)
  y[1:n-1] * 2.0
}
#--- difference-of-slices: 1
export def f(x: f32[n+1]) -> f32[n] {
  let y = x * x
  y[1:n+1] - y[0:n]
}
#--- through-transpose: 1
export def f(x: f32[n, m], y: f32[m, n]) -> f32[m, n] {
  let e = exp(x)
  transpose(e) + y
}
#--- through-reshape: 1
export def f(x: f32[n, m]) -> f32[n*m] {
  let e = exp(x)
  flatten(e) * 2.0
}
#--- reshape-into-reduction: 1
export def f(x: f32[n, m]) -> f32 {
  let e = exp(x)
  sum(flatten(e))
}
#--- through-reverse: 1
export def f(x: f32[n]) -> f32[n] {
  let e = exp(x)
  reverse(e) * 2.0
}
#--- through-roll: 1
export def f(x: f32[n]) -> f32[n] {
  let e = exp(x)
  roll(e, 3) * 2.0
}
#--- through-concatenation: 1
export def f(x: f32[n], y: f32[m]) -> f32[n+m] {
  let a = exp(x)
  let b = log(y)
  concat(a, b) * 2.0
}
#--- even-and-odd: 1
# Dear, and each element of it read once: nothing is computed twice.
def dear(x: f32) -> f32 = exp(x) * log(x) + sqrt(exp(2.0 * x))
export def f(x: f32[2*n]) -> f32[n] {
  let y = dear(x)
  y[::2] + y[1::2]
}
#--- halves: 1
def dear(x: f32) -> f32 = exp(x) * log(x) + sqrt(exp(2.0 * x))
export def f(x: f32[2*n]) -> f32[n] {
  let y = dear(x)
  y[0:n] + reverse(y[n:2*n])
}
#--- pooling: 1
def dear(x: f32) -> f32 = exp(x) * log(x) + sqrt(exp(2.0 * x))
export def f(x: f32[2*n, 2*m]) -> f32[n, m] {
  let y = dear(x)
  for i in n, j in m { max for p in 2, q in 2 { y[2*i+p, 2*j+q] } }
}
#--- quarters: 1
export def f(x: f32[4*n]) -> f32[n] = sum(reshape(exp(x), 4, n), axis = 0)
#--- groups-of-four: 1
export def f(x: f32[4*n]) -> f32[n] = sum(reshape(exp(x), n, 4), axis = 1)
#--- haar: 1
# Both read the same elements, in one kernel.
def dear(x: f32) -> f32 = exp(x) * log(x) + sqrt(exp(2.0 * x))
export def f(x: f32[2*n]) -> (s: f32[n], d: f32[n]) {
  let y = dear(x)
  (y[::2] + y[1::2], y[::2] - y[1::2])
}
#--- overlapping-windows: 2
# Three of a window of four are read again.
def dear(x: f32) -> f32 = exp(x) * log(x) + sqrt(exp(2.0 * x))
export def f(x: f32[n+3]) -> f32[n] {
  let y = dear(x)
  for i in n { max for p in 4 { y[i+p] } }
}
#--- through-broadcast: 1
export def f(x: f32[n, m], b: f32[m]) -> f32[n, m] {
  let c = 2.0 * b
  for i, j { x[i, j] + c[j] }
}
#--- through-extend: 1
export def f(x: f32[n]) -> f32[n] {
  let y = 2.0 * x
  let u = extend(y, wrap)
  stencil i in n { u[i-1] + u[i+1] }
}
#--- gather: 2
# The index may be out of bounds, which is to be found before anything is read.
export def f(x: f32[n], idx: int[m]) -> f32[m] {
  let y = 2.0 * x
  for i in m { y[idx[i]] }
}

# Not inlined on purpose: dear, and read several times.
#--- dear-stencil: 2
export def f(x: f32[n]) -> f32[n] {
  let y = exp(x) * log(x) + sqrt(exp(2.0 * x))
  let u = extend(y, clamp)
  stencil i in n { u[i-2] + u[i-1] + u[i] + u[i+1] + u[i+2] }
}

# Siblings over one index space.
#--- two-outputs: 1
export def f(x: f32[n]) -> (a: f32[n], b: f32[n]) = (exp(x), x * x)
#--- min-max-sum: 1
export def f(x: f32[n]) -> (lo: f32, hi: f32, s: f32) = (min(x), max(x), sum(x))
#--- mean-and-variance: 1
export def f(x: f64[n]) -> (f64, f64) = (sum(x), sum(x * x))
#--- map-and-its-sum: 1
export def f(x: f32[n]) -> (y: f32[n], s: f32) {
  let y = exp(x)
  (y, sum(y))
}
#--- map-and-two-sums: 1
export def f(x: f32[n], w: f32[n]) -> (y: f32[n], s: f32, t: f32) {
  let y = exp(x) * w
  (y, sum(y), max(y))
}
#--- rows-two-sums: 1
export def f(x: f32[n, m]) -> (a: f32[n], b: f32[n]) = (sum(x, axis = 1), max(x, axis = 1))
#--- columns-two-sums: 1
export def f(x: f32[n, m]) -> (a: f32[m], b: f32[m]) = (sum(x, axis = 0), max(x, axis = 0))
#--- argmin-and-max: 1
export def f(x: f32[n]) -> (i: int, hi: f32) {
  let i = argmin(x)
  (i, max(x))
}
#--- two-stencils: 1
export def f(x: f32[n, m]) -> (dx: f32[n, m], dy: f32[n, m]) {
  let u = extend(x, wrap)
  let a = stencil i in n, j in m { u[i, j+1] - u[i, j-1] }
  let b = stencil i in n, j in m { u[i+1, j] - u[i-1, j] }
  (a, b)
}

# Consumers after a reduction at its outer rank.
#--- softmax: 1
export def f(x: f32[n, m]) -> f32[n, m] =
  for i in n {
    let e = exp(x[i] - max(x[i]))
    e / sum(e)
  }
#--- softmax-flat: 1
# The same, written over whole arrays.
export def f(x: f32[n, m]) -> f32[n, m] {
  let hi = max(x, axis = 1)
  let e = for i, j { exp(x[i, j] - hi[i]) }
  let s = sum(e, axis = 1)
  for i, j { e[i, j] / s[i] }
}
#--- layer-norm: 1
export def f(x: f32[n, m], g: f32[m], b: f32[m]) -> f32[n, m] {
  let mu = mean(x, axis = 1)
  let var2 = for i { mean for j { (x[i, j] - mu[i]) ** 2 } }
  for i, j { (x[i, j] - mu[i]) * rsqrt(var2[i] + 1e-5) * g[j] + b[j] }
}
#--- normalise-rows: 1
export def f(x: f32[n, m]) -> f32[n, m] {
  let s = sum(x * x, axis = 1)
  for i, j { x[i, j] * rsqrt(s[i]) }
}
#--- centred-rows: 1
export def f(x: f32[n, m]) -> f32[n] {
  let mu = mean(x, axis = 1)
  for i { mean for j { (x[i, j] - mu[i]) ** 2 } }
}
#--- softmax-columns: 1, cpu 4
# Written over whole arrays; apart where columns are few, which the call tells.
export def f(x: f32[n, m]) -> f32[n, m] {
  let hi = max(x, axis = 0)
  let e = for i, j { exp(x[i, j] - hi[j]) }
  let s = sum(e, axis = 0)
  for i, j { e[i, j] / s[j] }
}
#--- softmax-middle: 1, cpu 4
export def f(x: f32[n, m, k]) -> f32[n, m, k] {
  let hi = max(x, axis = 1)
  let e = for i, j, l { exp(x[i, j, l] - hi[i, l]) }
  let s = sum(e, axis = 1)
  for i, j, l { e[i, j, l] / s[i, l] }
}
#--- batch-norm: 1, cpu 2
export def f(x: f32[n, m], g: f32[m], b: f32[m]) -> f32[n, m] {
  let mu = mean(x, axis = 0)
  let var2 = for j { mean for i { (x[i, j] - mu[j]) ** 2 } }
  for i, j { (x[i, j] - mu[j]) * rsqrt(var2[j] + 1e-5) * g[j] + b[j] }
}
#--- instance-norm: 1, cpu 2
export def f(x: f32[b, s, c]) -> f32[b, s, c] {
  let mu = mean(x, axis = 1)
  let d = for i, j, k { x[i, j, k] - mu[i, k] }
  let v = mean(d * d, axis = 1)
  for i, j, k { d[i, j, k] * rsqrt(v[i, k] + 1e-5) }
}
#--- few-columns-normalised: 2
# Three columns are never enough for a device.
export def f(x: f32[n, 3]) -> f32[n, 3] {
  let s = sum(x * x, axis = 0)
  for i, j { x[i, j] * rsqrt(s[j]) }
}
#--- row-sums-and-their-map: 1
export def f(x: f32[n, m]) -> f32[n] {
  let s = sum(x, axis = 1)
  sqrt(s) + 1.0
}
#--- attention-row: 1
export def f(q: f32[n, d], k: f32[m, d]) -> f32[n, m] =
  for i in n {
    let s = for j in m { sum for l { q[i, l] * k[j, l] } }
    let e = exp(s - max(s))
    e / sum(e)
  }

# A whole array's reduction ends the kernel: its result is known when all
# blocks are done.
#--- normalise-all: 2
export def f(x: f32[n]) -> f32[n] {
  let s = sum(x * x)
  x * rsqrt(s)
}
#--- centred-sum: 2
export def f(x: f32[n]) -> f32 {
  let mu = mean(x)
  sum for i { (x[i] - mu) ** 2 }
}

# Nested reductions, any axes.
#--- sum-axes-02: 1
export def f(x: f32[a, b, c, d]) -> f32[b, d] = sum(x * x, axis = (0, 2))
#--- sum-axis-by-axis: 1
export def f(x: f32[a, b, c]) -> f32[b] = sum(sum(x, axis = 2), axis = 0)
#--- max-of-row-sums: 1
export def f(x: f32[n, m]) -> f32 = max(sum(abs(x), axis = 1))
#--- sum-any-axes-3: 1
export def f(x: f32[a, b, c], y: f32[a, b, c]) -> f32[a] = sum(x * y + 1.0, axis = (1, 2))
#--- column-and-row: 2
# One reads along rows, one along columns: apart on purpose.
export def f(x: f32[n, m]) -> (r: f32[n], c: f32[m]) = (sum(x, axis = 1), sum(x, axis = 0))
#--- kept-intermediate: 2
export def f(x: f32[a, b, c]) -> (s: f32[a, b], t: f32[b]) {
  let s = sum(x, axis = 2)
  (s, sum(s, axis = 0))
}

# Once before a time loop, whose elements then take their steps one by one.
#--- sum-before-steps: 2
export def f(x: f32[n], w: f32[n], steps: int) -> f32[n] {
  var y = x
  loop _ in steps {
    let total = sum(w)
    y = y * 0.5 + total
  }
  y
}
#--- map-before-steps: 1
export def f(x: f32[n], w: f32[n], steps: int) -> f32[n] {
  var y = x
  loop _ in steps {
    let c = exp(w) * log(w) + sqrt(w)
    y = y * 0.5 + c
  }
  y
}
#--- sum-before-loop: 3 + 1, cpu 2
# What a loop carries begins as a copy of the argument.
export def f(x: f32[n], w: f32[n], steps: int) -> f32[n] {
  var y = x
  loop _ in steps {
    let total = sum(w)
    y = for i in n { y[n-1-i] * 0.5 + total }
  }
  y
}
#--- map-before-loop: 3 + 1, cpu 2
export def f(x: f32[n], w: f32[n], steps: int) -> f32[n] {
  var y = x
  loop _ in steps {
    let c = exp(w) * log(w) + sqrt(w)
    y = for i in n { y[n-1-i] * 0.5 + c[i] }
  }
  y
}

# The same expression twice.
#--- common-subexpression: 1
export def f(x: f32[n]) -> (a: f32, b: f32) {
  let a = sum(exp(x) * 2.0)
  let b = sum(exp(x) * 2.0)
  (a + 1.0, b + 2.0)
}
#--- common-map: 1
export def f(x: f32[n]) -> (a: f32[n], b: f32[n]) {
  let a = exp(x) * 2.0
  let b = exp(x) * 3.0
  (a, b)
}

# Scans.
#--- scan-then-map: 1
export def f(x: f32[n]) -> f32[n] {
  let s = scan((+), x)
  2.0 * s + 1.0
}
#--- scan-and-source: 1
export def f(x: f32[n]) -> f32[n] {
  let s = scan((+), x)
  for i { s[i] - x[i] }
}
#--- scan-then-sum: 2
# A scan's loop has no second accumulator.
export def f(x: f32[n]) -> f32 {
  let s = scan((+), x)
  sum(s * s)
}
#--- row-scans: 1
export def f(x: f32[n, m]) -> f32[n, m] = for i { scan((+), x[i]) }
#--- row-scan-normalised: 1
export def f(x: f32[n, m]) -> f32[n, m] =
  for i {
    let s = scan((+), x[i])
    s / s[m - 1]
  }

# Programs.
#--- black-scholes: 1
def cdf(x: f32) -> f32 = 0.5 * (1.0 + erf(x * 0.70710678))
export def f(s: f32[n], k: f32[n], t: f32[n], r: f32, v: f32) -> (call: f32[n], put: f32[n]) {
  let d1 = for i { (log(s[i] / k[i]) + (r + 0.5 * v * v) * t[i]) / (v * sqrt(t[i])) }
  let d2 = for i { d1[i] - v * sqrt(t[i]) }
  let discounted = for i { k[i] * exp(-r * t[i]) }
  let call = for i { s[i] * cdf(d1[i]) - discounted[i] * cdf(d2[i]) }
  let put = for i { discounted[i] * cdf(-d2[i]) - s[i] * cdf(-d1[i]) }
  (call, put)
}
#--- heat-step-with-maximum: 1
export def f(t: f32[n, m]) -> (next: f32[n, m], err: f32) {
  let u = extend(t, clamp)
  let next = stencil i in n, j in m {
    0.25 * (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1])
  }
  (next, max for i, j { abs(next[i, j] - t[i, j]) })
}
#--- five-axis-product: 1
export def f(a: f64[n, n, n, n], b: f64[n, n, n]) -> f64[n, n, n] {
  let p = for i in n, j in n, k in n, l in n, m in n { a[j, k, l, m] * b[i, l, m] }
  sum(p, axis = (3, 4))
}
#--- five-axis-products: 1
export def f(a: f64[n, n, n, n], a2: f64[n, n, n, n], a3: f64[n, n, n, n],
             b: f64[n, n, n]) -> (f64[n, n, n], f64[n, n, n], f64[n, n, n]) =
  (for i in n, j in n, k in n { sum for l, m { a[j, k, l, m] * b[i, l, m] } },
   for i in n, j in n, k in n { sum for l, m { a2[j, k, l, m] * b[i, l, m] } },
   for i in n, j in n, k in n { sum for l, m { a3[j, k, l, m] * b[i, l, m] } })
#--- matmul-with-bias: 1
export def f(a: f32[n, k], b: f32[k, m], c: f32[m]) -> f32[n, m] {
  let p = a @ b
  for i, j { max(p[i, j] + c[j], 0.0) }
}
#--- all-pairs: 1
export def f(x: f32[n], y: f32[n]) -> f32[n] =
  for i in n { sum for j in n { rsqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 + 1e-6) } }
#--- monte-carlo: 1
export def f(seed: int, n: int) -> f32 {
  let hits = sum for i in n {
    let x: f32 = uniform(seed, 2 * i)
    let y: f32 = uniform(seed, 2 * i + 1)
    if x * x + y * y < 1.0 { 1.0 } else { 0.0 }
  }
  4.0 * hits / n
}
#--- heat-equation-step: 1
# A step in whole-array style: the inside by slices, the border kept.
export def f(t: f32[n, m]) -> f32[n, m] where n >= 2, m >= 2 {
  var u = t
  u[1:n-1, 1:m-1] = 0.2 * (t[1:n-1, 1:m-1] + t[0:n-2, 1:m-1] + t[2:n, 1:m-1] +
                           t[1:n-1, 0:m-2] + t[1:n-1, 2:m])
  u
}
#--- leapfrog: 1
export def f(u: f32[n, m], um: f32[n, m], c: f32) -> f32[n, m] {
  let e = extend(u, 0.0)
  let lap = stencil i in n, j in m { e[i-1, j] + e[i+1, j] + e[i, j-1] + e[i, j+1] - 4.0 * e[i, j] }
  2.0 * u - um + c * lap
}
#--- rosenbrock: 1
export def f(x: f64[n+1]) -> f64 =
  sum for i in n { 100.0 * (x[i+1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2 }
#--- gradient-norm: 1
export def f(u: f32[n, m]) -> f32 {
  let e = extend(u, clamp)
  let gx = stencil i in n, j in m { 0.5 * (e[i+1, j] - e[i-1, j]) }
  let gy = stencil i in n, j in m { 0.5 * (e[i, j+1] - e[i, j-1]) }
  sum for i, j { gx[i, j] ** 2 + gy[i, j] ** 2 }
}
