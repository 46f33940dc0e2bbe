# A fast Fourier transform: butterflies whose distance changes in a loop.
# RUN: arrc run %s --check 'x=[complex(1.0, 0.0), complex(2.0, 0.0), complex(0.0, 1.0), complex(-1.0, 0.0)]' p=2 | FileCheck %s
export def fft(x: c64[n], p: int) -> c64[n] where n >= 1 {
  var y = x
  var a = 1          # size of finished blocks
  loop s in p {
    # decimation in time on the Stockham layout
    let half = n // 2
    let z = y
    let m = a
    y = for i in n {
      let k = i % m
      let j = i // m
      let even = j % 2 == 0
      let b = (j // 2) * m + k
      let w = z[b]
      let v = z[b + half]
      let th: f32 = -2.0 * pi * (b // m) * m / n
      if even { w + v } else { (w - v) * complex(cos(th), sin(th)) }
    }
    a = a * 2
  }
  y
}

# CHECK: out: c64[4]
