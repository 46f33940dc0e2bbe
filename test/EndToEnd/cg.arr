# Conjugate gradients in f64: a while with dot products, exact on small whole numbers.
# RUN: arrc run %s --check 'a=[[2.0, 0.0], [0.0, 2.0]]' 'b=[2.0, 4.0]' | FileCheck %s
export def cg(a: f64[n, n], b: f64[n], tol: f64 = 1.0e-10) -> (x: f64[n], steps: int) {
  var x: f64[n] = zeros(n)
  var (r, p) = (b, b)
  var rr = b @ b
  var k = 0
  while sqrt(rr) > tol and k < 10 * n {
    let ap = a @ p
    let alpha = rr / (p @ ap)
    x = x + alpha * p
    r = r - alpha * ap
    let next = r @ r
    p = r + (next / rr) * p
    rr = next
    k += 1
  }
  (x, k)
}

# CHECK: x: f64[2] [1, 2]
# CHECK: steps: i64 1
