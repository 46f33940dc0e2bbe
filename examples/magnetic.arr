# The field above the sun's surface from its normal component there: a sine series whose coefficients and
# values are sums over two indices. The coefficients decay with the height as exp(-r * height).
type real = f64

def sines(n: int) -> real[n, n] = for u in n, i in n { sin(pi * u * i / (n - 1)) }
def cosines(n: int) -> real[n, n] = for u in n, i in n { cos(pi * u * i / (n - 1)) }

export def magnetic(ground: real[n, n], height: real[h]) -> (up: real[h, n, n], east: real[h, n, n], north: real[h, n, n])
    where n >= 2 {
      let (s, c) = (sines(n), cosines(n))
      let coefficient = for u in n, v in n { 4.0 / (n - 1) ** 2 * sum for i in n, j in n { ground[i, j] * s[u, i] * s[v, j] } }
      let r = for u in n, v in n { pi * sqrt(f64(max(u * u + v * v, 1))) }
      let decay = for k in h, u in n, v in n { coefficient[u, v] * exp(-r[u, v] * height[k]) }
      let side  = for k in h, u in n, v in n { decay[k, u, v] * pi / r[u, v] }
      (for k in h, i in n, j in n { sum for u in n, v in n { decay[k, u, v] * s[u, i] * s[v, j] } },
       for k in h, i in n, j in n { sum for u in n, v in n { -u * side[k, u, v] * c[u, i] * s[v, j] } },
       for k in h, i in n, j in n { sum for u in n, v in n { -v * side[k, u, v] * s[u, i] * c[v, j] } })
    }
