# Three sums of powers over a middle dimension in one pass, and centred moments from them.
# RUN: arrc run %s --check a=7 n=13 c=5 | FileCheck %s
# RUN: arrc run %s --check a=1 n=2 c=1 | FileCheck %s
# RUN: arrc run %s --check a=130 n=5 c=3 | FileCheck %s
export def moments(a: int, n: int, c: int) -> (close: bool, mu: f64[a, c]) where n >= 1 {
  let x = for i in a, j in n, k in c { f64((i * 31 + j * j * 7 + k * 5) % 17) / 4.0 }
  let (s1, s2, s3) = sum for j in n {
    let y = x[0:a, j, 0:c]
    (y, y * y, y * y * y)
  }
  let mu = s1 / n
  let third = s3 / n - 3.0 * mu * s2 / n + 2.0 * mu * mu * mu
  let centred = for i in a, k in c { mean for j in n { (x[i, j, k] - mu[i, k]) ** 3 } }
  (all(abs(third - centred) < 1e-9), mu)
}

# CHECK: close: bool true
