# Loops whose steps do not depend on each other run at once, others in order.
# RUN: arrc run %s --check --entry lower n=9 m=7 | FileCheck %s --check-prefix=LOWER
# RUN: arrc run %s --check --entry lower n=1 m=1 | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check --entry lower n=0 m=3 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry lower n=300 m=40 | FileCheck %s --check-prefix=LARGE
# RUN: arrc run %s --check --entry columns n=5 m=4 | FileCheck %s --check-prefix=COLUMNS
# RUN: arrc run %s --check --entry columns n=70 m=33 | FileCheck %s --check-prefix=MANY
# RUN: arrc run %s --check --entry shifted n=8 | FileCheck %s --check-prefix=SHIFTED
# RUN: arrc run %s --check --entry strided n=9 | FileCheck %s --check-prefix=STRIDED
# RUN: arrc run %s --check --entry passed n=6 | FileCheck %s --check-prefix=PASSED
# RUN: arrc run %s --check --entry mirrored n=5 | FileCheck %s --check-prefix=MIRRORED
# RUN: arrc run %s --check --entry inside n=6 m=5 | FileCheck %s --check-prefix=INSIDE
# RUN: not arrc run %s --entry checked n=4 'at=[1, 3, 4, 0]' 2>&1 | FileCheck %s --check-prefix=CHECKED
# RUN: arrc run %s --check --entry sparse 'row=[0, 2, 2, 5]' 'col=[0, 1, 2, 0, 1]' 'val=[1.0, 2.0, 3.0, 4.0, 5.0]' 'x=[1.0, 10.0, 100.0]' | FileCheck %s --check-prefix=SPARSE
# RUN: arrc run %s --check --entry sparse 'row=[0]' 'col=[0]' 'val=[1.0]' 'x=[2.0]' | FileCheck %s --check-prefix=EMPTY
# RUN: not arrc run %s --entry sparse 'row=[0, 2, 1, 5]' 'col=[0, 1, 2, 0, 1]' 'val=[1.0, 2.0, 3.0, 4.0, 5.0]' 'x=[1.0, 10.0, 100.0]' 2>&1 | FileCheck %s --check-prefix=FALLS
# RUN: not arrc run %s --entry sparse 'row=[0, 2, 2, 5]' 'col=[0, 1, 2, 3, 1]' 'val=[1.0, 2.0, 3.0, 4.0, 5.0]' 'x=[1.0, 10.0, 100.0]' 2>&1 | FileCheck %s --check-prefix=OUTSIDE

# LOWER: s: i64 3457
# ONE: s: i64 1
# NONE: s: i64 0
# LARGE: s: i64 21600020
# COLUMNS: s: i64 629
# MANY: s: i64 108056
# SHIFTED: a: i64[8] [1, 2, 3, 4, 5, 6, 7, 0]
# SHIFTED: b: i64[8] [0, 0, 0, 0, 0, 0, 0, 0]
# STRIDED: a: i64[9] [0, 0, 2, 2, 4, 4, 6, 6, 8]
# STRIDED: b: i64[9] [0, 2, 2, 4, 4, 6, 6, 8, 8]
# PASSED: s: i64[6] [0, 1, 3, 6, 10, 15]
# PASSED: last: i64[6] [0, 0, 1, 4, 9, 16]
# MIRRORED: c: i64[5, 5] {{\[\[}}0, 1, 2, 3, 4], [1, 11, 12, 13, 14], [2, 12, 22
# INSIDE: s: i64 2770
# SPARSE: out: f64[3] [21, 0, 354]
# EMPTY: out: f64[0] []
# FALLS: slice 2:1 is not inside of a dimension of size 5
# OUTSIDE: index 3 is outside of a dimension of size 3
# CHECKED: index 4 is outside of

# A product with a triangle, in place: elements of a row at once, rows in order.
export def lower(n: int, m: int) -> (s: int) {
  var b: int[n, m] = for i in n, j in m { (i * 7 + j * 3) % 11 + 1 }
  let a: int[n, n] = for i in n, j in n { (i + 2 * j) % 5 }
  loop i in n {
    loop j in m { b[i, j] += sum(a[i+1:, i] * b[i+1:, j]) }
  }
  (sum(b))
}

# Two statements a step: a fold over a column, and a column updated by it.
export def columns(n: int, m: int) -> (s: int) {
  var a: int[n, m] = for i in n, j in m { (i * 5 + j * 3) % 7 }
  var r: int[m, m] = zeros(m, m)
  loop k in m {
    loop j in k+1:m {
      r[k, j] = sum(a[:, k] * a[:, j]) % 13
      a[:, j] -= a[:, k] * r[k, j]
    }
    a[:, k] = for i in n { a[i, k] % 100 }
  }
  (sum(a) + sum(r))
}

# What the next step reads, or the one before it, keeps an order.
export def shifted(n: int) -> (a: int[n], b: int[n]) where n >= 1 {
  var a = iota(n)
  loop i in n - 1 { a[i] = a[i+1] }
  a[n-1] = 0
  var b = iota(n)
  loop i in 1:n { b[i] = b[i-1] }
  (a, b)
}

# Every other element is written, the others are read.
export def strided(n: int) -> (a: int[n], b: int[n]) where n >= 1 {
  var a = iota(n)
  loop i in n // 2 { a[2*i+1] = a[2*i] }
  var b = iota(n)
  loop i in (n - 1) // 2 { b[2*i+1] = b[2*i+2] }
  (a, b)
}

# A number goes from step to step.
export def passed(n: int) -> (s: int[n], last: int[n]) {
  var s: int[n] = zeros(n)
  var last: int[n] = zeros(n)
  var t = 0
  var before = 0
  loop i in n {
    t += i
    s[i] = t
    last[i] = before
    before = i * i
  }
  (s, last)
}

# A row and a column of a step: nobody else's.
export def mirrored(n: int) -> (c: int[n, n]) {
  var c: int[n, n] = zeros(n, n)
  loop i in n {
    loop j in i:n {
      c[i, j] = 10 * i + j
      c[j, i] = 10 * i + j
    }
  }
  (c)
}

# Rows are independent, the elements of a row are not.
export def inside(n: int, m: int) -> (s: int) where m >= 1 {
  var a: int[n, m] = for i in n, j in m { (i * 3 + j) % 5 }
  loop i in n {
    loop j in 1:m { a[i, j] = (3 * a[i, j-1] + a[i, j]) % 101 }
  }
  (sum(for i, j { (i + 1) * a[i, j] }))
}

# Which step fails first is known.
export def checked(n: int, at: int[n]) -> (a: int[n]) {
  var a: int[n] = zeros(n)
  loop i in n { a[i] = at[at[i]] }
  (a)
}

# Rows of a sparse matrix, as slices whose ends are read.
export def sparse(row: int[r], col: int[k], val: f64[k], x: f64[m]) -> f64[r-1] where r >= 1 {
  var y: f64[r-1] = zeros(r-1)
  loop i in r-1 {
    let cols = col[row[i]:row[i+1]]
    y[i] = sum(val[row[i]:row[i+1]] * x[cols])
  }
  y
}
