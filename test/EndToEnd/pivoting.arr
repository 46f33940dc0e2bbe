# Elimination with row exchanges: rows and elements of vars swap, argmax over a part.
# RUN: arrc run %s --check 'a=[[0.0, 2.0], [4.0, 2.0]]' 'b=[2.0, 10.0]' | FileCheck %s --check-prefix=TWO
# RUN: arrc run %s --check 'a=[[1.0, 2.0, 3.0], [2.0, 4.0, 1.0], [4.0, 0.0, 2.0]]' 'b=[14.0, 13.0, 10.0]' | FileCheck %s --check-prefix=THREE
# RUN: arrc run %s --check 'a=[[5.0]]' 'b=[10.0]' | FileCheck %s --check-prefix=ONE
export def solve(a: f64[n, n], b: f64[n]) -> (x: f64[n], det: f64) where n >= 1 {
  var m = a
  var r = b
  var det: f64 = 1.0
  loop k in n {
    let p = argmax for i in k:n { abs(m[i, k]) }
    (m[k], m[p]) = (m[p], m[k])
    (r[k], r[p]) = (r[p], r[k])
    if p != k { det = -det }
    det *= m[k, k]
    let f = for i in n { if i > k { m[i, k] / m[k, k] } else { 0.0 } }
    m = for i in n, j in n { m[i, j] - f[i] * m[k, j] }
    r = for i in n { r[i] - f[i] * r[k] }
  }
  var x = r
  loop q in n {
    let i = n - 1 - q
    x[i] = (r[i] - sum for j in i+1:n { m[i, j] * x[j] }) / m[i, i]
  }
  (x, det)
}

# TWO: x: f64[2] [2, 1]
# TWO: det: f64 -8
# THREE: x: f64[3] [1, 2, 3]
# THREE: det: f64 -40
# ONE: x: f64[1] [2]
