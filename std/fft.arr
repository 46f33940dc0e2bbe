# Discrete Fourier transforms of any size: import "std/fft.arr"
#
# A product of primes up to 31 takes a pass over the array for each of them (for 4 in
# place of 2 and 2); other sizes are convolutions of such a size from 2 n on
# (Bluestein). T is c64 or c128.

# y[k] = sum for t { x[t] * exp(-2j * pi * k * t / n) }
def fft[T: num](x: T[n]) -> T[n] = flatten(rows(reshape(x, 1, n)))

# The inverse of fft.
def ifft[T: num](y: T[n]) -> T[n] = flatten(inverse_rows(reshape(y, 1, n)))

# The transform of real numbers; its second half is that of the first, conjugated.
def fft_real[T: float](x: T[n]) = fft(for i { complex(x[i], T(0)) })

# The real part of the inverse: of a transform of real numbers, those numbers.
def ifft_real[T: num](y: T[n]) = re(ifft(y))

# Both dimensions of a matrix.
def fft2[T: num](x: T[n, m]) -> T[n, m] = transpose(rows(transpose(rows(x))))
def ifft2[T: num](y: T[n, m]) -> T[n, m] = transpose(inverse_rows(transpose(inverse_rows(y))))

# Each row of a matrix.
def rows[T: num](x: T[b, n]) -> T[b, n] =
  if n < 2 { x } else if _rough(n) == 1 { _products(x, _roots(T(0), n, -1)) } else { _any(x, -1) }

# The inverse of each row.
def inverse_rows[T: num](y: T[b, n]) -> T[b, n] {
  let x = if n < 2 { y } else if _rough(n) == 1 { _products(y, _roots(T(0), n, 1)) } else { _any(y, 1) }
  for i in b, k in n { x[i, k] / n }
}

# The frequency of each element of a transform of n samples that are d apart.
def frequencies[T: float](n: int, d: T = 1.0) -> T[n] where n >= 1 =
  for k in n { T(if k < (n + 1) // 2 { k } else { k - n }) / (n * d) }

# The least divisor of n but 1, 4 where it is one: the best way to begin.
def _divisor(n: int) -> int {
  var d = if n % 4 == 0 { 4 } else { 2 }
  while n % d != 0 { d += 1 }
  d
}

# What is left of n without its prime factors up to 31.
def _rough(n: int) -> int {
  var rest = n
  var d = 2
  while d <= 31 and rest > 1 {
    if rest % d == 0 { rest = rest // d } else { d += 1 }
  }
  rest
}

# exp(sign * 2j * pi * k / n)
def _roots[T: num](like: T, n: int, sign: int) =
  for k in n { exp(T(complex(0, sign)) * (2.0 * pi * k / n)) }

# Rows of a product of small numbers (Stockham): r blocks of w that are transformed,
# an r-th of a row apart, become a block of r w; the blocks stand side by side.
def _products[T: num](x: T[b, n], roots: T[n]) -> T[b, n] where n >= 2 {
  var y = x
  var w = 1
  while w < n {
    let z = y
    let width = w
    let radix = _divisor(n // w)
    let apart = n // radix
    let block = radix * width
    let turn = n // block
    y = for r in b, k in n {
      let number = k // block
      let inside = k - number * block
      let first = number * width + inside % width
      let angle = inside * turn
      var value = z[r, first]
      var from = first
      var at = 0
      loop q in radix - 1 {
        from += apart
        at = if at + angle < n { at + angle } else { at + angle - n }
        value += z[r, from] * roots[at]
      }
      value
    }
    w = block
  }
  y
}

# The least size from n on, of some that are products of small numbers.
def _room(n: int) -> int {
  let power = shl(1, 64 - clz(n - 1))
  if power >= 16 and power // 16 * 9 >= n { power // 16 * 9 }
  else if power >= 8 and power // 8 * 5 >= n { power // 8 * 5 }
  else if power >= 4 and power // 4 * 3 >= n { power // 4 * 3 }
  else { power }
}

# Rows of any length: k * t is (k^2 + t^2 - (k - t)^2) / 2, which makes of the sum a
# convolution with a chirp.
def _any[T: num](x: T[b, n], sign: int) -> T[b, n] where n >= 2 {
  let m = _room(2 * n - 1)
  # exp(sign * 1j * pi * k^2 / n); the square counts modulo 2 n.
  let chirp = for k in n { exp(T(complex(0, sign)) * (pi * ((k * k) % (2 * n)) / n)) }
  let a = for r in b, k in m { if k < n { x[r, min(k, n - 1)] * chirp[min(k, n - 1)] } else { T(0) } }
  let c = for r in 1, k in m {
    let d = min(k, m - k)
    if d < n { conj(chirp[min(d, n - 1)]) } else { T(0) }
  }
  let roots = _roots(T(0), m, -1)
  let fa = _products(a, roots)
  let fc = _products(c, roots)
  let y = _products(for r in b, k in m { fa[r, k] * fc[0, k] }, _roots(T(0), m, 1))
  for r in b, k in n { y[r, k] * chirp[k] / m }
}
