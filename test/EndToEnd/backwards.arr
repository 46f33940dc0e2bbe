# Arrays that are read from their end: lanes that are turned around.
# RUN: arrc run %s --check --entry palindrome n=0 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry palindrome n=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry palindrome n=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry palindrome n=77 2>&1 | FileCheck %s --check-prefix=SOME
# RUN: arrc run %s --check --entry palindrome n=40001 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=3 m=0 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=1 m=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=5 m=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry rows n=9 m=1003 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry convolution n=1 m=1 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry convolution n=2 m=2 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry convolution n=301 m=45 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry durbin 'r=[0.5]' 2>&1 | FileCheck %s --check-prefix=OK
# RUN: arrc run %s --check --entry durbin 'r=[0.5, 0.25]' 2>&1 | FileCheck %s --check-prefix=DURBIN
# RUN: arrc run %s --check --entry durbin 'r=full(0.01, 67)' 2>&1 | FileCheck %s --check-prefix=OK
# OK: check: ok
# SOME: check: ok
# SOME: s: i64 73150
# DURBIN: out: f64[2] [-0.5, -0]

export def palindrome(n: int) -> (s: int, t: f32[n], same: bool[n]) {
  let a = iota(n)
  let b = for i in n { f32(i % 7) }
  (sum for i { a[i] * a[n-1-i] }, for i { b[n-1-i] - b[i] }, for i { a[i] % 2 == a[n-1-i] % 2 })
}

export def rows(n: int, m: int) -> (s: int[n], most: i32[n]) {
  let a = for i in n, j in m { (i * 31 + j * 7) % 100 }
  (for i in n { sum(a[i] * reverse(a[i])) }, for i in n { max for j in m { i32(a[i, m-1-j] - a[i, j]) } })
}

export def convolution(n: int, m: int) -> (c: int[n + m - 1], inner: i32[n - m + 1]) where m >= 1, n >= m {
  let a = for i in n { i % 9 }
  let b = for i in m { i % 4 + 1 }
  let c = for k in n + m - 1 { sum for l in m if k >= l and k - l < n { a[k - l] * b[l] } }
  (c, for k in n - m + 1 { sum for l in m { i32(a[k + l] * b[m - 1 - l]) } })
}

# A step reads what it has of both ends.
export def durbin(r: f64[n]) -> f64[n] where n >= 1 {
  var y: f64[n] = zeros(n)
  var alpha = -r[0]
  var beta: f64 = 1.0
  y[0] = -r[0]
  loop k in 1:n {
    beta *= 1.0 - alpha * alpha
    alpha = -(r[k] + sum(reverse(r[:k]) * y[:k])) / beta
    y[:k] += alpha * reverse(y[:k])
    y[k] = alpha
  }
  y
}
