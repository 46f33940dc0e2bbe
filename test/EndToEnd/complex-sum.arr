# A sum of complex numbers: a discrete Fourier transform of four points.
# RUN: arrc run %s --check 'x=[1.0, 1.0, 1.0, 1.0]' freqs=1 | FileCheck %s
export def spectrum(x: f64[n], freqs: int) -> f64[freqs] {
  let w = -2.0 * pi / n
  for k in freqs { abs(sum for t { x[t] * exp(complex(0.0, w * k * t)) }) }
}

# CHECK: out: f64[1] [4]
