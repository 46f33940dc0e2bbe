# Values between points: import "std/interpolation.arr"

# How many elements of the ascending x are below or equal to v.
def count_until[T: real](x: T[n], v: T) -> int {
  var lo = 0
  var hi = n
  while lo < hi {
    let mid = (lo + hi) // 2
    if x[mid] <= v { lo = mid + 1 } else { hi = mid }
  }
  lo
}

# The values at `at` of the lines through the points (x, y), x ascending; outside of
# them the first or last y.
def linear[T: float](at: T[k], x: T[n], y: T[n]) -> T[k] where n >= 1 = for v in at {
  let i = clamp(count_until(x, v) - 1, 0, max(n - 2, 0))
  let j = min(i + 1, n - 1)
  let t = (v - x[i]) / (x[j] - x[i])
  if isnan(v) { v } else if v <= x[0] { y[0] } else if v >= x[n-1] { y[n-1] }
  else { y[i] + t * (y[j] - y[i]) }
}

# The same by the y of the nearest x, of two the smaller one.
def nearest[T: float](at: T[k], x: T[n], y: T[n]) -> T[k] where n >= 1 = for v in at {
  let i = clamp(count_until(x, v) - 1, 0, n - 1)
  let j = min(i + 1, n - 1)
  if isnan(v) { v } else if abs(x[j] - v) < abs(v - x[i]) { y[j] } else { y[i] }
}

# The natural cubic spline through the points (x, y), x ascending: twice
# differentiable, straight at both ends; outside it goes on as the outer piece does.
def cubic[T: float](at: T[k], x: T[n], y: T[n]) -> T[k] where n >= 2 {
  # Second derivatives at the points, by elimination.
  var m: T[n] = zeros(n)
  var c: T[n] = zeros(n)
  loop i in 1:n-1 {
    let h = x[i] - x[i - 1]
    let g = x[i + 1] - x[i]
    let d = 6 * ((y[i + 1] - y[i]) / g - (y[i] - y[i - 1]) / h)
    let p = 2 * (h + g) - h * c[i - 1]
    c[i] = g / p
    m[i] = (d - h * m[i - 1]) / p
  }
  loop i in n-2:0:-1 { m[i] = m[i] - c[i] * m[i + 1] }
  for v in at {
    let i = clamp(count_until(x, v) - 1, 0, n - 2)
    let h = x[i + 1] - x[i]
    let a = (x[i + 1] - v) / h
    let b = (v - x[i]) / h
    a * y[i] + b * y[i + 1] + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * h * h / 6
  }
}

# The values of the table a at the places (r, c) in it, in rows and columns, by the
# four elements around each; outside of it its edge.
def bilinear[T: float](a: T[n, m], r: T[k], c: T[k]) -> T[k] where n >= 1, m >= 1 = for l in k {
  let u = clamp(r[l], T(0), T(n - 1))
  let v = clamp(c[l], T(0), T(m - 1))
  let i = clamp(int(floor(u)), 0, n - 1)
  let j = clamp(int(floor(v)), 0, m - 1)
  let i2 = min(i + 1, n - 1)
  let j2 = min(j + 1, m - 1)
  let s = u - i
  let t = v - j
  let upper = a[i, j] + t * (a[i, j2] - a[i, j])
  let lower = a[i2, j] + t * (a[i2, j2] - a[i2, j])
  upper + s * (lower - upper)
}
