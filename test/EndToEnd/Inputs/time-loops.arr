# Programs with time loops, and where these run; read by ../time_loops.py. A
# heading `#--- NAME: COUNT device, COUNT host, COUNT reads` begins a program or
# names a file.

#--- examples/heat.arr: 1 device, 0 host, 0 reads
#--- examples/channel.arr: 1 device, 1 host, 0 reads
#--- examples/lbm.arr: 1 device, 0 host, 0 reads
#--- examples/nbody.arr: 1 device, 0 host, 0 reads
#--- examples/water.arr: 1 device, 0 host, 0 reads
#--- examples/wave.arr: 1 device, 1 host, 0 reads
#--- examples/linear.arr: 3 device, 0 host, 0 reads
#--- test/EndToEnd/cg.arr: 1 device, 0 host, 0 reads
#--- test/EndToEnd/shortest-paths.arr: 1 device, 0 host, 0 reads
#--- test/EndToEnd/components.arr: 1 device, 0 host, 0 reads
#--- test/EndToEnd/life-history.arr: 1 device, 1 host, 0 reads
#--- test/EndToEnd/viterbi.arr: 0 device, 1 host, 0 reads
#--- test/EndToEnd/cholesky.arr: 0 device, 1 host, 0 reads
#--- test/EndToEnd/rule-110.arr: 0 device, 1 host, 0 reads
#--- life: 1 device, 0 host, 0 reads
export def life(g0: int[n, m], steps: int) -> (g: int[n, m]) {
  var g = g0
  loop _ in steps {
    let e = extend(g, wrap)
    g = stencil i, j {
      let s = e[i-1, j-1] + e[i-1, j] + e[i-1, j+1] + e[i, j-1] + e[i, j+1] + e[i+1, j-1] + e[i+1, j] + e[i+1, j+1]
      if s == 3 or (s == 2 and g[i, j] == 1) { 1 } else { 0 }
    }
  }
  g
}
#--- jacobi: 1 device, 0 host, 0 reads
export def jacobi(a: f64[n, n], b: f64[n], steps: int) -> f64[n] {
  var x: f64[n] = zeros(n)
  let d = for i { a[i, i] }
  loop _ in steps { x = (b - (a @ x - d * x)) / d }
  x
}
#--- power-iteration: 1 device, 0 host, 0 reads
export def power(a: f64[n, n], steps: int) -> (v: f64[n], l: f64) {
  var v: f64[n] = full(1.0, n)
  var l: f64 = 0.0
  loop _ in steps {
    let w = a @ v
    l = sqrt(w @ w)
    v = w / l
  }
  (v, l)
}
#--- heat-of-slices: 2 device, 0 host, 0 reads
export def heat(u0: f64[n, n], steps: int) -> f64[n, n] where n >= 3 {
  var u = u0
  loop _ in steps {
    u[1:n-1, 1:n-1] = u[1:n-1, 1:n-1] + 0.1 * (u[:n-2, 1:n-1] + u[2:, 1:n-1] + u[1:n-1, :n-2] + u[1:n-1, 2:] - 4.0 * u[1:n-1, 1:n-1])
  }
  u
}
#--- wave: 1 device, 0 host, 0 reads
export def wave(u0: f64[n, m], c: f64, steps: int) -> (u: f64[n, m]) where n >= 3, m >= 3 {
  var u = u0
  var um = u0
  loop _ in steps {
    var next = u
    next[1:n-1, 1:m-1] = 2.0 * u[1:n-1, 1:m-1] - um[1:n-1, 1:m-1] + c * (u[2:, 1:m-1] + u[:n-2, 1:m-1] + u[1:n-1, 2:] + u[1:n-1, :m-2] - 4.0 * u[1:n-1, 1:m-1])
    um = u
    u = next
  }
  u
}
#--- leapfrog-energies: 1 device, 1 host, 0 reads
export def leapfrog(x0: f64[n, 3], m: f64[n], dt: f64, steps: int) -> (x: f64[n, 3], e: f64[steps]) {
  var x = x0
  var v: f64[n, 3] = zeros(n, 3)
  var e: f64[steps] = zeros(steps)
  loop t in steps {
    let a = for i in n { sum for j in n {
      let d = x[j] - x[i]
      let r2 = sum(d * d) + 0.01
      d * (m[j] / (r2 * sqrt(r2)))
    } }
    v = v + dt * a
    x = x + dt * v
    e[t] = 0.5 * sum for i in n { m[i] * sum(v[i] * v[i]) }
  }
  (x, e)
}
#--- k-means: 1 device, 0 host, 0 reads
export def kmeans(p: f64[n, d], c0: f64[k, d], steps: int) -> (c: f64[k, d], label: int[n]) {
  var c = c0
  var label: int[n] = zeros(n)
  loop _ in steps {
    label = for i in n { argmin for q in k { sum for l in d { (p[i, l] - c[q, l]) ** 2 } } }
    let cnt = hist((+), 0, k) for i in n { (label[i], 1) }
    let s = for q in k, l in d { sum for i in n if label[i] == q { p[i, l] } }
    c = for q in k, l in d { s[q, l] / max(cnt[q], 1) }
  }
  (c, label)
}
#--- shortest-paths: 1 device, 0 host, 0 reads
export def floyd(w: f64[n, n]) -> f64[n, n] {
  var d = w
  loop k in n { d = for i in n, j in n { min(d[i, j], d[i, k] + d[k, j]) } }
  d
}
#--- magnetization: 1 device, 2 host, 0 reads
export def magnet(x0: f32[n], steps: int) -> (x: f32[n], av: f32[steps]) {
  var x = x0
  var av: f32[steps] = zeros(steps)
  loop t in steps {
    x = for i { 0.5 * (x[i] + x[(i + 1) % n]) }
    av[t] = sum(x) / n
  }
  (x, av)
}
export def magnet1(x0: f32[n], steps: int) -> (x: f32[n], av: f32[steps]) {
  var x = x0
  var av: f32[steps] = zeros(steps)
  loop t in steps {
    x = for i { 0.5 * (x[i] + x[(i + 1) % n]) }
    let s = sum(x) / n
    av[t:t+1] = for k in 1 { s }
  }
  (x, av)
}
#--- alternating-directions: 1 device, 0 host, 0 reads
export def adi(n: int, tsteps: int) -> f64[n, n] where n >= 3 {
  var u: f64[n, n] = for i in n, j in n { f64(i + n - j) / n }
  loop t in tsteps {
    let v = for i in n {
      var p: f64[n] = zeros(n)
      var q: f64[n] = zeros(n)
      loop j in 1:n-1 {
        p[j] = 0.25 / (0.5 * p[j-1] + 2.0)
        q[j] = (u[i, j] + 0.5 * q[j-1]) / (0.5 * p[j-1] + 2.0)
      }
      q
    }
    u = transpose(v)
  }
  u
}
#--- fields: 1 device, 0 host, 0 reads
export def fdtd(ex0: f64[n, m], ey0: f64[n, m], hz0: f64[n, m], fict: f64[T]) -> (ex: f64[n, m], ey: f64[n, m], hz: f64[n, m]) where n >= 2, m >= 2 {
  var (ex, ey, hz) = (ex0, ey0, hz0)
  loop t in T {
    ey[0, :] = for j in m { fict[t] }
    ey[1:, :] = ey[1:, :] - 0.5 * (hz[1:, :] - hz[:n-1, :])
    ex[:, 1:] = ex[:, 1:] - 0.5 * (hz[:, 1:] - hz[:, :m-1])
    hz[:n-1, :m-1] = hz[:n-1, :m-1] - 0.7 * (ex[:n-1, 1:] - ex[:n-1, :m-1] + ey[1:, :m-1] - ey[:n-1, :m-1])
  }
  (ex, ey, hz)
}
#--- logistic-regression: 1 device, 1 host, 0 reads
export def logreg(x: f64[n, m], y: f64[n], lr: f64, steps: int) -> (w: f64[m], loss: f64[steps]) {
  var w: f64[m] = zeros(m)
  var loss: f64[steps] = zeros(steps)
  loop t in steps {
    let z = x @ w
    let p = 1.0 / (1.0 + exp(-z))
    let g = for j in m { sum for i in n { x[i, j] * (p[i] - y[i]) } }
    w = w - (lr / n) * g
    loss[t] = -(sum for i in n { y[i] * log(p[i] + 1e-12) + (1.0 - y[i]) * log(1.0 - p[i] + 1e-12) }) / n
  }
  (w, loss)
}
#--- elimination: 0 device, 1 host, 0 reads
export def lu(a0: f64[n, n]) -> f64[n, n] where n >= 1 {
  var a = a0
  loop k in n-1 {
    a[k+1:, k] = a[k+1:, k] / a[k, k]
    a[k+1:, k+1:] = a[k+1:, k+1:] - for i in n-k-1, j in n-k-1 { a[k+1+i, k] * a[k, k+1+j] }
  }
  a
}
#--- gram-schmidt: 0 device, 1 host, 0 reads
export def gramschmidt(a0: f64[m, n]) -> (q: f64[m, n], r: f64[n, n]) {
  var a = a0
  var q: f64[m, n] = zeros(m, n)
  var r: f64[n, n] = zeros(n, n)
  loop k in n {
    let nrm = sum for i in m { a[i, k] * a[i, k] }
    r[k, k] = sqrt(nrm)
    q[:, k] = a[:, k] / r[k, k]
    loop j in k+1:n {
      r[k, j] = sum for i in m { q[i, k] * a[i, j] }
      a[:, j] = a[:, j] - q[:, k] * r[k, j]
    }
  }
  (q, r)
}
#--- cholesky: 0 device, 2 host, 0 reads
export def cholesky(a0: f64[n, n]) -> (l: f64[n, n]) {
  var a = a0
  loop i in n {
    loop j in i {
      a[i, j] -= sum for k in j { a[i, k] * a[j, k] }
      a[i, j] /= a[j, j]
    }
    a[i, i] -= sum for k in i { a[i, k] * a[i, k] }
    a[i, i] = sqrt(a[i, i])
  }
  a
}
#--- cavity: 1 device, 1 host, 0 reads
export def cavity(nt: int, nit: int, n: int, m: int, dt: f64, rho: f64, nu: f64) -> (u: f64[n, m], v: f64[n, m], p: f64[n, m]) where n >= 3, m >= 3 {
  let dx = 2.0 / (m - 1)
  let dy = 2.0 / (n - 1)
  var u: f64[n, m] = zeros(n, m)
  var v: f64[n, m] = zeros(n, m)
  var p: f64[n, m] = zeros(n, m)
  loop _ in nt {
    var b: f64[n, m] = zeros(n, m)
    b[1:n-1, 1:m-1] = for i in n-2, j in m-2 {
      let ux = (u[i+1, j+2] - u[i+1, j]) / (2.0 * dx)
      let vy = (v[i+2, j+1] - v[i, j+1]) / (2.0 * dy)
      let uy = (u[i+2, j+1] - u[i, j+1]) / (2.0 * dy)
      let vx = (v[i+1, j+2] - v[i+1, j]) / (2.0 * dx)
      rho * ((ux + vy) / dt - ux * ux - 2.0 * uy * vx - vy * vy)
    }
    loop _ in nit {
      let pn = p
      p[1:n-1, 1:m-1] = for i in n-2, j in m-2 {
        ((pn[i+1, j+2] + pn[i+1, j]) * dy ** 2 + (pn[i+2, j+1] + pn[i, j+1]) * dx ** 2) / (2.0 * (dx ** 2 + dy ** 2)) - dx ** 2 * dy ** 2 / (2.0 * (dx ** 2 + dy ** 2)) * b[i+1, j+1]
      }
      p[:, m-1] = p[:, m-2]
      p[0, :] = p[1, :]
      p[:, 0] = p[:, 1]
      p[n-1, :] = zeros(m)
    }
    let un = u
    let vn = v
    u[1:n-1, 1:m-1] = for i in n-2, j in m-2 {
      un[i+1, j+1] - un[i+1, j+1] * dt / dx * (un[i+1, j+1] - un[i+1, j]) - vn[i+1, j+1] * dt / dy * (un[i+1, j+1] - un[i, j+1]) - dt / (2.0 * rho * dx) * (p[i+1, j+2] - p[i+1, j])
    }
    v[1:n-1, 1:m-1] = for i in n-2, j in m-2 {
      vn[i+1, j+1] - un[i+1, j+1] * dt / dx * (vn[i+1, j+1] - vn[i+1, j]) - vn[i+1, j+1] * dt / dy * (vn[i+1, j+1] - vn[i, j+1]) - dt / (2.0 * rho * dy) * (p[i+2, j+1] - p[i, j+1])
    }
    u[n-1, :] = full(1.0, m)
    v[:, 0] = zeros(n)
  }
  (u, v, p)
}
#--- written-twice: 0 device, 0 host, 0 reads
export def one(v: f64[n]) -> (a: f64[n]) where n >= 1 {
  var a = v
  loop j in 1:n { a[j] = (a[j] + a[j-1]) / 9.0 }
  a
}
export def two(v: f64[n]) -> (a: f64[n]) where n >= 1 {
  var a = v
  loop j in 1:n {
    a[j] += a[j-1]
    a[j] /= 9.0
  }
  a
}
#--- sparse-rows: 0 device, 0 host, 0 reads
export def sparse(row: int[r], col: int[k], val: f64[k], x: f64[m]) -> f64[r-1] where r >= 1 {
  var y: f64[r-1] = zeros(r-1)
  loop i in r-1 {
    let cols = col[row[i]:row[i+1]]
    y[i] = sum(val[row[i]:row[i+1]] * x[cols])
  }
  y
}
#--- triangular-product: 0 device, 1 host, 0 reads
export def product(a: f64[n, n], b0: f64[n, m]) -> f64[n, m] {
  var b = b0
  loop i in n {
    loop j in m { b[i, j] += sum(a[i+1:, i] * b[i+1:, j]) }
  }
  b
}
#--- two-norms: 1 device, 0 host, 0 reads
export def solve(g0: f64[n, m], tol: f64, most: int) -> (g: f64[n, m], it: int, r: f64) where n >= 3, m >= 3 {
  var g = g0
  var r: f64 = inf
  var d: f64 = inf
  var it = 0
  while r > tol and d > 0.5 * tol and it < most {
    let old = g
    g[1:end-1, 1:end-1] = 0.25 * (g[:end-2, 1:end-1] + g[2:, 1:end-1] + g[1:end-1, :end-2] + g[1:end-1, 2:])
    let e = g - old
    r = sqrt(sum(e * e))
    d = max for i, j { abs(e[i, j]) }
    it += 1
  }
  (g, it, r)
}
#--- time-until: 1 device, 0 host, 0 reads
export def advect(u0: f64[n], end_time: f64) -> (u: f64[n], t: f64, steps: int) where n >= 3 {
  var u = u0
  var t: f64 = 0.0
  var steps = 0
  while t < end_time {
    let dt = min(0.5 / (max for i { abs(u[i]) } + 1e-9), end_time - t)
    let e = extend(u, wrap)
    u = stencil i in n { e[i] - dt * e[i] * (e[i] - e[i-1]) }
    t += dt
    steps += 1
  }
  (u, t, steps)
}
#--- width-of-a-step: 1 device, 0 host, 0 reads
export def descend(x0: f64[n], a: f64[n]) -> (x: f64[n], f: f64, k: int) {
  var x = x0
  var f: f64 = inf
  var rate: f64 = 0.1
  var k = 0
  while rate > 1e-6 and k < 500 {
    let y = for i { x[i] - rate * (x[i] - a[i]) * (1.0 + x[i] * x[i]) }
    let g = sum for i { (y[i] - a[i]) ** 2 }
    let good = g < f
    rate = if good { rate * 1.05 } else { rate * 0.5 }
    x = for i { if good { y[i] } else { x[i] } }
    f = min(f, g)
    k += 1
  }
  (x, f, k)
}
