# Imaginary numbers: `2.0j` and `2j`, in f32 and f64, alone and meeting other numbers.
# RUN: arrc run %s --check --entry f 'z=[1+2j, -1j, 3.5]' x=2.0 k=3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry fixed | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry dft 'x=[1, 2, 3, 4]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry constants n=2 | FileCheck %s --check-prefix=R5
# RUN: %exit_code 2 arrc run %s --entry f 'z=[1+2jj]' x=2.0 k=3 2>&1 | FileCheck %s --check-prefix=R4
const I = 1j
const W = [1.0, 2.0j, -1.5e0j]
type z64 = c64
export def f(z: c128[n], x: f64, k: int) -> (a: c128[n], b: c128, c: c64, d: c128, m: f64) {
  let w = 0.1j
  (z * 2.0j + 1.0, x + 1j, c64(f32(k)) * 1j - 0.5j, w + x, abs(3.0 + 4j))
}
export def fixed() -> (a: c64, b: c64, c: c64, d: c128, w: c64[3], s: c64, i: f32, p: c64, n: bool) {
  var v = 2.5j
  v *= 1j
  let zeros2: c64[2] = [0.0j, 1_0.0e-1j]
  (v, if true { 1.0 } else { 1j }, 1.0 / 2j, I + 0.1, W, sum(zeros2) + sum for q in 3 { 1j * q }, im(7j), (1j)**2, 1j == I)
}
# Constants of a declared type, and a default.
const start: c64 = 0.5 + 3.0j
const far: c128 = c128(0.1 + 3.0j) - 2.5
def shifted(z: c128, by: c128 = 1.0 - c128(2j)) -> c128 = z + by
export def constants(n: int) -> (a: c64, b: c128, c: c128, d: c128) =
  (start, far, shifted(complex(f64(n), 0.0)), c128(0.1 + 0.2j))
# The transform as it is written down.
export def dft(x: f32[n]) -> (r: int[n], i: int[n]) {
  let y = for k in n { sum for t { x[t] * exp(-2.0j * pi * k * t / n) } }
  (int(round(re(y))), int(round(im(y))))
}

# R1: a: c128[3] [(-3, 2), (3, 0), (1, 7)]
# R1: b: c128 (2, 1)
# R1: c: c64 (0, 2.5)
# R1: d: c128 (2, 0.1)
# R1: m: f64 5
# R2: a: c64 (-2.5, 0)
# R2: b: c64 (1, 0)
# R2: c: c64 (0, -0.5)
# R2: d: c128 (0.1, 1)
# R2: w: c64[3] [(1, 0), (0, 2), (-0, -1.5)]
# R2: s: c64 (0, 4)
# R2: i: f32 7
# R2: p: c64 (-1, 0)
# R2: n: bool true
# R3: r: i64[4] [10, -2, -2, -2]
# R3: i: i64[4] [0, 2, 0, -2]
# R4: unexpected 'j]' after a number
# R5: a: c64 (0.5, 3)
# R5: b: c128 (-2.4, 3)
# R5: c: c128 (3, -2)
# R5: d: c128 (0.1, 0.2)
