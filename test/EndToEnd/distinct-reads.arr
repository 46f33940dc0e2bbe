# Parts of an array that never meet: its elements are computed where they are
# read, each once.
# RUN: arrc run %s --check --entry parts n=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry parts n=1 | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check --entry parts n=37
# RUN: arrc run %s --check --entry pooled n=0 m=3
# RUN: arrc run %s --check --entry pooled n=1 m=1
# RUN: arrc run %s --check --entry pooled n=7 m=13
# RUN: arrc run %s --check --entry windows n=0
# RUN: arrc run %s --check --entry windows n=65
export def parts(n: int) -> (even: f64[n], half: f64[n], quarter: f64[n], group: f64[n]) {
  let x = for i in 4 * n { 0.25 * f64(i) }
  let y = exp(-x) + sqrt(x)
  let z = y[0:2*n]
  (for i in n { z[2*i] - z[2*i+1] }, z[0:n] - reverse(z[n:2*n]), sum(reshape(y, 4, n), axis = 0),
   max(reshape(y, n, 4), axis = 1))
}
export def pooled(n: int, m: int) -> (most: f32[n, m], s: f32[n, m], d: f32[n, m]) {
  let y = for i in 2 * n, j in 2 * m { sin(f32(i * 3 + j)) + exp(f32(j - i) * 0.125) }
  (for i in n, j in m { max for p in 2, q in 2 { y[2*i+p, 2*j+q] } },
   for i in n, j in m { y[2*i, 2*j] + y[2*i+1, 2*j+1] },
   for i in n, j in m { y[2*i, 2*j] - y[2*i+1, 2*j+1] })
}
export def windows(n: int) -> (far: int[n], near: int[n]) {
  let y = for i in 100 * n + 2 { (i * i * 7 + 3 * i) % 1013 }
  (for i in n { sum for p in 100 { y[100*i+p] } },
   for i in n { max for p in 3 { y[i+p] } })
}

# NONE: even: f64[0] []
# ONE: even: f64[1] [-0.2788{{.*}}]
# ONE: group: f64[1] [1.338{{.*}}]
