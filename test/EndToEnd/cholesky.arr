# Cholesky: columns of a triangle, written below what they read.
# RUN: arrc run %s --check 'a=[[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, 6.0]]' | FileCheck %s
# RUN: arrc run %s --check 'a=[[9.0]]' | FileCheck %s --check-prefix=R2
export def chol(a: f64[n, n]) -> f64[n, n] {
  var l: f64[n, n] = zeros(n, n)
  loop j in n {
    l[j, j] = sqrt(a[j, j] - sum for k in j { l[j, k]**2 })
    l[j+1:n, j] = for i in j+1:n { (a[i, j] - sum for k in j { l[i, k] * l[j, k] }) / l[j, j] }
  }
  l
}

# CHECK: out: f64[3, 3] {{\[\[}}2, 0, 0], [1, 2, 0], [1, 1, 2{{\]\]}}
# R2: out: f64[1, 1] {{\[\[}}3{{\]\]}}
