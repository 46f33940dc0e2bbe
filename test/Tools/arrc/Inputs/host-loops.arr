# Loops that the host of a device drives.
export def first(a: int[n], steps: int) -> int {
  var c = 0
  loop t in steps {
    let b = for x in a if x > t { x }
    c += b[0]
  }
  c
}
export def thin(a: int[n], steps: int) -> int {
  var q = a
  var k = 0
  while k < steps and size(q) > 1 {
    q = for x in q if x % (k + 2) != 0 { x }
    k += 1
  }
  size(q)
}
export def shrink(a: f64[n], steps: int) -> f64[n] {
  var x = a
  loop t in steps {
    let k = argmax for i in n { x[i] }
    x[:k] = 0.5 * x[:k]
  }
  x
}
export def grow(a: int[n], steps: int) -> int {
  var s = 0
  loop t in steps {
    let m = sum(for i in n { a[i] + s }) % 100
    s += sum for i in m { i * i }
  }
  s
}
export def learn(x: f64[n, d], y: f64[n], epochs: int) -> (w: f64[d]) {
  var w: f64[d] = zeros(d)
  loop _ in epochs {
    loop i in n { if y[i] * (x[i] @ w) <= 0.0 { w += y[i] * x[i] } }
  }
  w
}
export def median(a: f64[n], steps: int) -> f64[n] where n >= 1 {
  var x = a
  loop t in steps {
    let s = sort(x)
    if s[n // 2] > 0.5 { x = x - s[0] } else { x = 2.0 * x }
  }
  x
}
export def chase(next: int[n], a: f64[n, m], steps: int) -> f64[m] where n >= 1 {
  var s: f64[m] = zeros(m)
  var at = 0
  loop t in steps {
    s = s + a[at]
    at = next[at]
  }
  s
}
export def rows(a: f64[n, m], steps: int) -> f64[n, m] {
  var x = a
  loop t in steps {
    let r = argmin for i in n { sum for j in m { x[i, j] } }
    x[r] = x[r] + 1.0
  }
  x
}
export def halve(a: f64[n]) -> f64 where n >= 1 {
  var x = a
  var k = n
  while k > 1 {
    let h = k // 2
    let y = for i in h { x[i] + x[i + h] }
    x[:h] = y
    k = h
  }
  x[0]
}
export def bins(a: int[n], steps: int) -> int {
  var m = 1
  loop t in steps {
    let h = hist((+), 0, 8) for i in n { ((a[i] + m) % 8, 1) }
    let top = argmax for k in 8 { h[k] }
    m += sum for i in top { a[i % n] }
  }
  m
}
export def unique(a: int[n], steps: int) -> int {
  var c = 0
  loop t in steps {
    let s = sort(for i in n { (a[i] * (t + 3) + c) % 11 })
    let u = for i in n if i == 0 or s[i] != s[max(i - 1, 0)] { s[i] }
    c += size(u)
  }
  c
}
export def scans(a: f64[n], steps: int) -> f64[n] {
  var x = a
  loop t in steps { x = scan((+)) for i in n { x[i] * f64(t) } }
  x
}
