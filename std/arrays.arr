# Arrays that are made of little: import "std/arrays.arr"

# The identity matrix of n rows, of numbers like `one`: eye(3), eye(3, f64(1)).
def eye[T: num](n: int, one: T = 1.0) -> T[n, n] where n >= 0 =
  for i in n, j in n { if i == j { one } else { T(0) } }

# The products of all elements of u with all of v.
def outer[T: num](u: T[n], v: T[m]) -> T[n, m] = for i, j { u[i] * v[j] }

# n numbers from lo to hi at equal distances, both among them.
def linspace[T: float](lo: T, hi: T, n: int) -> T[n] where n >= 0 {
  let step = (hi - lo) / max(n - 1, 1)
  for i in n { if i == n - 1 and n > 1 { hi } else { lo + i * step } }
}

# The diagonal of a matrix.
def diagonal[T](a: T[n, m]) -> T[min(n, m)] = for i in min(n, m) { a[i, i] }

# The sum of the diagonal.
def trace[T: num](a: T[n, m]) -> T = sum for i in min(n, m) { a[i, i] }

# What is on and below the diagonal, or above it; zero elsewhere.
def lower[T: num](a: T[n, m]) -> T[n, m] = for i in n, j in m { if j <= i { a[i, j] } else { T(0) } }
def upper[T: num](a: T[n, m]) -> T[n, m] = for i in n, j in m { if j >= i { a[i, j] } else { T(0) } }

# The differences of neighbours.
def diff[T: num](a: T[n]) -> T[n-1] where n >= 1 = for i in n - 1 { a[i + 1] - a[i] }

# The length of a vector.
def norm[T: float](a: T[n]) -> T = sqrt(sum for i { a[i] * a[i] })
