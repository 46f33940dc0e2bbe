# Arrays of bf16 are stored, gathered, scanned and carried; one rounding each way.
# RUN: arrc run %s --check --entry store 'x=[1.0, 1.00390625, 1.01171875, -3.3e38, 1e-40]' | FileCheck %s --check-prefix=STORE
# RUN: arrc run %s --check --entry doubles 'x=[1.00390625, 1.0039062500000002, 3.39617752923046e38, 1e300]' | FileCheck %s --check-prefix=DOUBLES
# RUN: arrc run %s --check --entry integers 'x=[257, 282574488338432, 282574488338433, -282574488338433, 4647574088132296705]' | FileCheck %s --check-prefix=INTEGERS
# RUN: arrc run %s --check --entry moved n=37 m=19 | FileCheck %s --check-prefix=MOVED
# RUN: arrc run %s --check --entry moved n=1 m=0
export def store(x: f32[n]) -> (y: bf16[n], last: bf16) = (bf16(x), bf16(x[n-1]))
export def doubles(x: f64[n]) -> (y: bf16[n], first: bf16) = (bf16(x), bf16(x[1]))
export def integers(x: int[n]) -> (y: bf16[n], third: bf16) = (bf16(x), bf16(x[2]))
export def moved(n: int, m: int) -> (t: bf16[m, n], s: bf16[n, m], g: bf16[n], r: bf16) {
  let a = for i in n, j in m { bf16(f32((i * 7 + j * 3) % 11) / 4.0) }
  var r = bf16(0.0)
  loop k in m { r = max(r, a[n-1, k]) }
  let row = for i in n { if i % 2 == 0 { r } else { bf16(1.5) } }
  (transpose(a), scan((+), a, axis = 1), row[for i in n { n - 1 - i }], r)
}

# STORE: y: bf16[5] [1, 1, 1.015625, -3.2964854e+38, 9.1835e-41]
# STORE: last: bf16 9.1835e-41
# DOUBLES: y: bf16[4] [1, 1.0078125, inf, inf]
# DOUBLES: first: bf16 1.0078125
# INTEGERS: y: bf16[5] [256, 281474976710656, 283673999966208, -283673999966208, 4.647715e+18]
# INTEGERS: third: bf16 283673999966208
# MOVED: r: bf16 2.5
