# Recurrences along rows, written for all rows at once: few rows, and more than a cache has lines.
# RUN: arrc run %s --check --entry filter n=3 m=5 | FileCheck %s --check-prefix=FEW
# RUN: arrc run %s --check --entry filter n=9000 m=7 | FileCheck %s --check-prefix=MANY
# RUN: arrc run %s --check --entry filter n=9000 m=1 | FileCheck %s --check-prefix=NARROW
# RUN: arrc run %s --check --entry sweeps n=70 m=90 k=6 | FileCheck %s --check-prefix=PLANES
# RUN: arrc run %s --check --entry across n=9000 m=5 | FileCheck %s --check-prefix=ACROSS

# FEW: s: i64 708
# MANY: s: i64 2730860
# NARROW: s: i64 53989
# PLANES: s: i64 929156
# ACROSS: s: i64 809927

# One statement a step, elements before it.
export def filter(n: int, m: int) -> (s: int) where m >= 1 {
  let x: int[n, m] = for i in n, j in m { (i * 7 + j * 5) % 13 }
  var y = x
  loop j in 1:m { y[:, j] = (x[:, j] * 3 + y[:, j-1]) % 101 }
  (sum(for i, j { y[i, j] * (i % 3) }))
}

# Several statements over planes, forth and back.
export def sweeps(n: int, m: int, k: int) -> (s: int) where k >= 2 {
  let x: int[n, m, k] = for i in n, j in m, l in k { (i * 3 + j * 5 + l * 7) % 17 }
  var c: int[n, m, k] = zeros(n, m, k)
  var d = x
  loop l in 1:k {
    c[:, :, l] = (c[:, :, l-1] + x[:, :, l]) % 23
    d[:, :, l] = (d[:, :, l-1] * 2 + c[:, :, l]) % 29
  }
  loop l in k-2:-1:-1 { d[:, :, l] = (d[:, :, l] - c[:, :, l] * d[:, :, l+1]) % 31 }
  (sum(for i, j, l { d[i, j, l] * ((i + j) % 5) }))
}

# The row before is read: steps stay in order.
export def across(n: int, m: int) -> (s: int) where n >= 1, m >= 1 {
  var y: int[n, m] = for i in n, j in m { (i * 7 + j * 5) % 13 }
  loop j in 1:m { y[1:, j] = (y[1:, j] + y[:end-1, j-1]) % 101 }
  (sum(for i, j { y[i, j] * (i % 3) }))
}
