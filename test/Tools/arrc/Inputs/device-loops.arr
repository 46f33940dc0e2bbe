# Loops that are the device's, as NumPy's users write them.
export def seidel(a0: f64[n, n], T: int) -> (a: f64[n, n]) where n >= 3 {
  var a = a0
  loop t in T {
    loop i in 1:n-1 {
      a[i, 1:n-1] = a[i, 1:n-1] + a[i-1, :n-2] + a[i-1, 1:n-1] + a[i-1, 2:] + a[i, 2:] + a[i+1, :n-2] + a[i+1, 1:n-1] + a[i+1, 2:]
      loop j in 1:n-1 {
        a[i, j] += a[i, j-1]
        a[i, j] /= 9.0
      }
    }
  }
  a
}
export def lu(a0: f64[n, n]) -> (a: f64[n, n]) {
  var a = a0
  loop i in n {
    loop j in i {
      a[i, j] -= a[i, :j] @ a[:j, j]
      a[i, j] /= a[j, j]
    }
    loop j in i:n {
      a[i, j] -= a[i, :i] @ a[:i, j]
    }
  }
  a
}
export def cholesky(a0: f64[n, n]) -> (a: f64[n, n]) where n >= 1 {
  var a = a0
  a[0, 0] = sqrt(a[0, 0])
  loop i in 1:n {
    loop j in i {
      a[i, j] -= a[i, :j] @ a[j, :j]
      a[i, j] /= a[j, j]
    }
    a[i, i] -= a[i, :i] @ a[i, :i]
    a[i, i] = sqrt(a[i, i])
  }
  a
}
export def ludcmp(a0: f64[n, n], b: f64[n]) -> (x: f64[n], y: f64[n]) {
  var a = a0
  var x: f64[n] = zeros(n)
  var y: f64[n] = zeros(n)
  loop i in n {
    loop j in i {
      a[i, j] -= a[i, :j] @ a[:j, j]
      a[i, j] /= a[j, j]
    }
    loop j in i:n { a[i, j] -= a[i, :i] @ a[:i, j] }
  }
  loop i in n { y[i] = b[i] - a[i, :i] @ y[:i] }
  loop k in n {
    let i = n - 1 - k
    x[i] = (y[i] - a[i, i+1:] @ x[i+1:]) / a[i, i]
  }
  (x, y)
}
export def trisolv(l: f64[n, n], b: f64[n]) -> (x: f64[n]) {
  var x: f64[n] = zeros(n)
  loop i in n { x[i] = (b[i] - l[i, :i] @ x[:i]) / l[i, i] }
  x
}
export def trmm(alpha: f64, a: f64[m, m], b0: f64[m, n]) -> (b: f64[m, n]) {
  var b = b0
  loop i in m {
    loop j in n { b[i, j] += a[i+1:, i] @ b[i+1:, j] }
  }
  b = alpha * b
  b
}
export def gramschmidt(a0: f64[m, n]) -> (q: f64[m, n], r: f64[n, n]) {
  var a = a0
  var q: f64[m, n] = zeros(m, n)
  var r: f64[n, n] = zeros(n, n)
  loop k in n {
    let nrm = a[:, k] @ a[:, k]
    r[k, k] = sqrt(nrm)
    q[:, k] = a[:, k] / r[k, k]
    loop j in k+1:n {
      r[k, j] = q[:, k] @ a[:, j]
      a[:, j] -= q[:, k] * r[k, j]
    }
  }
  (q, r)
}
export def nussinov(seq: int[n]) -> (table: int[n, n]) {
  var table: int[n, n] = zeros(n, n)
  loop ii in n {
    let i = n - 1 - ii
    loop j in i+1:n {
      if j - 1 >= 0 { table[i, j] = max(table[i, j], table[i, j-1]) }
      if i + 1 < n { table[i, j] = max(table[i, j], table[i+1, j]) }
      if j - 1 >= 0 and i + 1 < n {
        if i < j - 1 {
          table[i, j] = max(table[i, j], table[i+1, j-1] + (if seq[i] + seq[j] == 3 { 1 } else { 0 }))
        } else {
          table[i, j] = max(table[i, j], table[i+1, j-1])
        }
      }
      loop k in i+1:j { table[i, j] = max(table[i, j], table[i, k] + table[k+1, j]) }
    }
  }
  table
}
export def crc16(data: u8[n], poly: int) -> (crc: int) {
  var crc = 0xFFFF
  loop k in n {
    var cur = int(data[k])
    loop _ in 8 {
      if bitxor(bitand(crc, 1), bitand(cur, 1)) != 0 { crc = bitxor(shr(crc, 1), poly) } else { crc = shr(crc, 1) }
      cur = shr(cur, 1)
    }
  }
  bitand(bitnot(crc), 0xFFFF)
}
export def adi(T: int, n: int) -> (u: f64[n, n]) where n >= 3 {
  var u: f64[n, n] = for i in n, j in n { f64(i + n - j) / n }
  var v: f64[n, n] = zeros(n, n)
  var p: f64[n, n] = zeros(n, n)
  var q: f64[n, n] = zeros(n, n)
  let a = -0.3
  let b = 1.6
  let c = a
  let d = -0.2
  let e = 1.4
  let f = d
  loop t in T {
    v[0, 1:n-1] = full(1.0, n-2)
    p[1:n-1, 0] = zeros(n-2)
    q[1:n-1, 0] = v[0, 1:n-1]
    loop j in 1:n-1 {
      p[1:n-1, j] = -c / (a * p[1:n-1, j-1] + b)
      q[1:n-1, j] = (-d * u[j, :n-2] + (1.0 + 2.0 * d) * u[j, 1:n-1] - f * u[j, 2:] - a * q[1:n-1, j-1]) / (a * p[1:n-1, j-1] + b)
    }
    v[n-1, 1:n-1] = full(1.0, n-2)
    loop jj in n-2 {
      let j = n - 2 - jj
      v[j, 1:n-1] = p[1:n-1, j] * v[j+1, 1:n-1] + q[1:n-1, j]
    }
    u[1:n-1, 0] = full(1.0, n-2)
    p[1:n-1, 0] = zeros(n-2)
    q[1:n-1, 0] = u[1:n-1, 0]
    loop j in 1:n-1 {
      p[1:n-1, j] = -f / (d * p[1:n-1, j-1] + e)
      q[1:n-1, j] = (-a * v[:n-2, j] + (1.0 + 2.0 * a) * v[1:n-1, j] - c * v[2:, j] - d * q[1:n-1, j-1]) / (d * p[1:n-1, j-1] + e)
    }
    u[1:n-1, n-1] = full(1.0, n-2)
    loop jj in n-2 {
      let j = n - 2 - jj
      u[1:n-1, j] = p[1:n-1, j] * u[1:n-1, j+1] + q[1:n-1, j]
    }
  }
  u
}
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
export def newton(a: f64[n], tol: f64) -> (x: f64[n], it: int) {
  var x = a
  var it = 0
  var err: f64 = inf
  while err > tol and it < 100 {
    let next = 0.5 * (x + a / x)
    err = max(abs(next - x))
    x = next
    it += 1
  }
  (x, it)
}
export def power(a: f64[n, n], tol: f64) -> (v: f64[n], l: f64) {
  var v: f64[n] = full(1.0, n)
  var l: f64 = 0.0
  var d: f64 = inf
  while d > tol {
    let w = a @ v
    let m = sqrt(w @ w)
    d = abs(m - l)
    l = m
    v = w / m
  }
  (v, l)
}
export def cg(a: f64[n, n], b: f64[n], steps: int) -> (x: f64[n], hist: f64[steps]) {
  var x: f64[n] = zeros(n)
  var r = b
  var p = b
  var rs = b @ b
  var hist: f64[steps] = zeros(steps)
  loop t in steps {
    let ap = a @ p
    let alpha = rs / (p @ ap)
    x = x + alpha * p
    r = r - alpha * ap
    let rn = r @ r
    hist[t] = sqrt(rn)
    p = r + (rn / rs) * p
    rs = rn
  }
  (x, hist)
}
export def smooth(a: f64[n], k: f64) -> (y: f64[n]) where n >= 1 {
  var y = a
  loop i in 1:n { y[i] = k * y[i-1] + (1.0 - k) * a[i] }
  y
}
export def rows(a: f64[b, n]) -> (y: f64[b, n]) where n >= 1 {
  for r in b {
    var y: f64[n] = a[r]
    loop i in 1:n { y[i] = 0.9 * y[i-1] + a[r, i] }
    y
  }
}
export def collatz(n0: int) -> (steps: int) {
  var n = n0
  var steps = 0
  while n > 1 {
    n = if n % 2 == 0 { n // 2 } else { 3 * n + 1 }
    steps += 1
  }
  steps
}
export def least(a: int[n], steps: int) -> int {
  var c = 0
  loop t in steps { c += min for x in a if x > t { x } }
  c
}
export def sums(a: f64[n], steps: int) -> f64[n] {
  var x = a
  var t: f64 = 0.0
  loop _ in steps {
    x = scan((+)) for i in n { x[i] * t }
    t += 1.0
  }
  x
}
export def primes(n: int) -> (p: bool[n]) where n >= 2 {
  var p: bool[n] = full(true, n)
  p[0] = false
  p[1] = false
  loop i in 2:n {
    if p[i] {
      var j = i * i
      while j < n {
        p[j] = false
        j += i
      }
    }
  }
  p
}
export def insertion(a0: f64[n]) -> (a: f64[n]) {
  var a = a0
  loop i in 1:n {
    var j = i
    while j > 0 and a[max(j-1, 0)] > a[j] {
      let t = a[j]
      a[j] = a[j-1]
      a[j-1] = t
      j -= 1
    }
  }
  a
}
export def counts(a: int[n], m: int) -> (c: int[m]) {
  var c: int[m] = zeros(m)
  loop i in n { c[a[i] % m] += 1 }
  c
}
export def galton(beans: int, levels: int, key: int) -> (bins: int[levels + 1]) where levels >= 0 {
  var bins: int[levels + 1] = zeros(levels + 1)
  loop b in beans {
    var at = 0
    loop l in levels { if uniform(key, b, l) < 0.5 { at += 1 } }
    bins[at] += 1
  }
  bins
}
export def plate(u0: f64[n, m], drive: f64[steps]) -> (u: f64[n, m], e: f64[steps]) where n > 0, m > 0 {
  var u = u0
  var e: f64[steps] = zeros(steps)
  loop t in steps {
    u = for i in n, j in m { 0.25 * (u[max(i-1, 0), j] + u[min(i+1, n-1), j] + u[i, max(j-1, 0)] + u[i, min(j+1, m-1)]) + f64(t) * drive[t] }
    e[t] = sum(u) / f64(t + 1)
  }
  (u, e)
}
