# Numbers that describe many: import "std/statistics.arr" as stats
#
# Of nothing the mean is NaN, as are what is made of it; quantiles of nothing are
# an error. A NaN among the values makes the result NaN.

# The sum divided by the number of values.
def mean[T: float](a: T[n]) -> T = (sum for i { a[i] }) / n

# The mean of the squared distances from the mean, divided by n - ddof.
def variance[T: float](a: T[n], ddof: int = 0) -> T {
  let m = mean(a)
  (sum for i { (a[i] - m) * (a[i] - m) }) / max(n - ddof, 0)
}

# The root of the variance.
def std[T: float](a: T[n], ddof: int = 0) -> T = sqrt(variance(a, ddof))

# The covariance of two samples, divided by n - ddof.
def covariance[T: float](x: T[n], y: T[n], ddof: int = 1) -> T {
  let mx = mean(x)
  let my = mean(y)
  (sum for i { (x[i] - mx) * (y[i] - my) }) / max(n - ddof, 0)
}

# The covariances of the rows of a, one row a variable and one column an observation.
def covariances[T: float](a: T[k, n], ddof: int = 1) -> T[k, k] {
  let m = for i in k { (sum for l in n { a[i, l] }) / n }
  let d = for i in k, l in n { a[i, l] - m[i] }
  let c = d @ transpose(d)
  for i in k, j in k { c[i, j] / max(n - ddof, 0) }
}

# Pearson's coefficient of correlation, from -1 to 1.
def correlation[T: float](x: T[n], y: T[n]) -> T =
  clamp(covariance(x, y, 0) / (std(x) * std(y)), T(-1), T(1))

# The coefficients of correlation of the rows of a.
def correlations[T: float](a: T[k, n]) -> T[k, k] {
  let c = covariances(a, 0)
  for i in k, j in k { clamp(c[i, j] / sqrt(c[i, i] * c[j, j]), T(-1), T(1)) }
}

# The value below which the fraction q of the values lies; between two values the
# line through them.
def quantile[T: float](a: T[n], q: T) -> T where n >= 1 = quantiles(a, [q])[0]

# The same of several fractions, sorting once.
def quantiles[T: float](a: T[n], q: T[k]) -> T[k] where n >= 1 {
  assert all for i { q[i] >= 0.0 and q[i] <= 1.0 }, "a fraction is from 0 to 1"
  let s = sort(a)
  for i in k {
    let at = q[i] * (n - 1)
    let lo = clamp(int(floor(at)), 0, n - 1)
    let hi = min(lo + 1, n - 1)
    let t = at - lo
    let v = if t < 0.5 { s[lo] + (s[hi] - s[lo]) * t } else { s[hi] - (s[hi] - s[lo]) * (1 - t) }
    # Sorting puts NaN last.
    if isnan(s[n - 1]) { s[n - 1] } else if s[lo] == s[hi] { s[lo] } else { v }
  }
}

# The middle of the sorted values, or the mean of the two there.
def median[T: float](a: T[n]) -> T where n >= 1 {
  let s = sort(a)
  let hi = s[n // 2]
  if isnan(s[n - 1]) { s[n - 1] } else if n % 2 == 1 { hi } else { 0.5 * (s[n // 2 - 1] + hi) }
}

# How many values are in each of the bins of equal width from lo to hi; the last bin has
# its upper end, what is outside and NaN is in none.
def histogram[T: float](a: T[n], lo: T, hi: T, bins: int) -> int[bins] {
  assert bins >= 1 and lo < hi, "a histogram needs a bin, and lo below hi"
  let width = (hi - lo) / bins
  hist((+), 0, bins, oob = drop) for x in a {
    let inside = x >= lo and x <= hi
    let near = if inside { clamp(int((x - lo) / (hi - lo) * bins), 0, bins - 1) } else { -1 }
    # Rounding may have put it beside its bin.
    let below = inside and x < lo + near * width
    let above = inside and near < bins - 1 and x >= lo + (near + 1) * width
    (near + int(above) - int(below), 1)
  }
}
