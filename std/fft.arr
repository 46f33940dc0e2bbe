# Discrete Fourier transforms of any size: import "std/fft.arr"
#
# Powers of two take log2(n) passes over the array; other sizes are convolutions of
# the next power of two behind 2 n (Bluestein). T is c64 or c128.

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
  if n < 2 { x } else if popcount(n) == 1 { _powers(x, -1) } else { _any(x, -1) }

# The inverse of each row.
def inverse_rows[T: num](y: T[b, n]) -> T[b, n] {
  let x = if n < 2 { y } else if popcount(n) == 1 { _powers(y, 1) } else { _any(y, 1) }
  for i in b, k in n { x[i, k] / n }
}

# The frequency of each element of a transform of n samples that are d apart.
def frequencies[T: float](n: int, d: T = 1.0) -> T[n] where n >= 1 =
  for k in n { T(if k < (n + 1) // 2 { k } else { k - n }) / (n * d) }

# exp(sign * 2j * pi * k / n) for the first n // 2 of k.
def _roots[T: num](like: T, n: int, sign: int) =
  for k in n // 2 { exp(T(complex(0, sign)) * (2.0 * pi * k / n)) }

# Rows of a power of two (Stockham): blocks of w that are transformed become blocks
# of 2 w, half a row apart before and side by side behind.
def _powers[T: num](x: T[b, n], sign: int) -> T[b, n] where n >= 2 {
  let roots = _roots(T(0), n, sign)
  var y = x
  var w = 1
  while w < n {
    let z = y
    let width = w
    y = for r in b, k in n {
      let block = k // (2 * width)
      let in_block = k % (2 * width)
      let i = if in_block < width { in_block } else { in_block - width }
      let u = z[r, block * width + i]
      let v = z[r, block * width + i + n // 2] * roots[i * (n // (2 * width))]
      if in_block < width { u + v } else { u - v }
    }
    w = 2 * w
  }
  y
}

# Rows of any length: k * t is (k^2 + t^2 - (k - t)^2) / 2, which makes of the sum a
# convolution with a chirp.
def _any[T: num](x: T[b, n], sign: int) -> T[b, n] where n >= 2 {
  let m = shl(1, 64 - clz(2 * n - 2))
  # exp(sign * 1j * pi * k^2 / n); the square counts modulo 2 n.
  let chirp = for k in n { exp(T(complex(0, sign)) * (pi * ((k * k) % (2 * n)) / n)) }
  let a = for r in b, k in m { if k < n { x[r, min(k, n - 1)] * chirp[min(k, n - 1)] } else { T(0) } }
  let c = for r in 1, k in m {
    let d = min(k, m - k)
    if d < n { conj(chirp[min(d, n - 1)]) } else { T(0) }
  }
  let fa = _powers(a, -1)
  let fc = _powers(c, -1)
  let y = _powers(for r in b, k in m { fa[r, k] * fc[0, k] }, 1)
  for r in b, k in n { y[r, k] * chirp[k] / m }
}
