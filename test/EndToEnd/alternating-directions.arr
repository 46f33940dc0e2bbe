# Implicit steps along rows, then columns, through a function with loops.
# RUN: arrc run %s --check 'u0=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]' a=0.5 steps=2 | FileCheck %s
def tri(d: f64[n], a: f64) -> f64[n] where n >= 1 {
  # (1 + 2a) x_i - a x_{i-1} - a x_{i+1} = d_i
  var c: f64[n] = zeros(n)
  var x = d
  c[0] = -a / (1.0 + 2.0 * a)
  x[0] = d[0] / (1.0 + 2.0 * a)
  loop i in 1:n {
    let m = 1.0 + 2.0 * a + a * c[i-1]
    c[i] = -a / m
    x[i] = (d[i] + a * x[i-1]) / m
  }
  loop i in n-2:-1:-1 { x[i] -= c[i] * x[i+1] }
  x
}
export def adi(u0: f64[n, m], a: f64, steps: int) -> f64[n, m] where n >= 1, m >= 1 {
  var u = u0
  loop s in steps {
    u = for i in n { tri(u[i], a) }
    u = transpose(for j in m { tri(u[:, j], a) })
  }
  u
}

# CHECK: out: f64[2,
