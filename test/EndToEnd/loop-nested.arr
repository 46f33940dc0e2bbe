# Loops in loops that update one array.
# RUN: arrc run %s --check n=5 | FileCheck %s
export def f(n: int) -> int[n, n] {
  var t: int[n, n] = zeros(n, n)
  loop i in n {
    loop j in i + 1 { t[i, j] = if j == 0 or j == i { 1 } else { t[i-1, j-1] + t[i-1, j] } }
  }
  t
}

# CHECK: out: i64[5, 5] {{\[\[}}1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]]
