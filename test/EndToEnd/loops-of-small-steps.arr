# Loops by elements, rows and slices: one kernel on cards while their steps are small.
# RUN: arrc run %s --check --entry factor 'a0=[[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, 6.0]]' | FileCheck %s --check-prefix=FACTOR
# RUN: arrc run %s --check --entry factor 'a0=[[9.0]]' | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check --entry checksum data=[49,50,51] | FileCheck %s --check-prefix=SUM
# RUN: arrc run %s --check --entry orthogonal n=5 m=3 | FileCheck %s --check-prefix=ORTHOGONAL
# RUN: arrc run %s --check --entry root a=[1.0,2.0,3.0,4.0,5.0] tol=1e-9 | FileCheck %s --check-prefix=ROOT
# RUN: arrc run %s --check --entry pairs seq=[1,2,0,3,1,2] | FileCheck %s --check-prefix=PAIRS
# RUN: arrc run %s --check --entry sweep n=40 m=3 | FileCheck %s --check-prefix=FEW
# RUN: arrc run %s --check --entry sweep n=9000 m=3 | FileCheck %s --check-prefix=MANY
# RUN: arrc run %s --check --entry turned n=33 m=70 | FileCheck %s --check-prefix=TURNED

# FACTOR: out: f64[3, 3] {{\[\[}}2, 2, 2], [1, 2, 3], [1, 1, 2{{\]\]}}
# ONE: out: f64[1, 1] {{\[\[}}3{{\]\]}}
# SUM: out: i64 25419
# ORTHOGONAL: r: f64[3, 3] {{\[\[}}13.92838827718412, 5.0975029261859
# ROOT: x: f64 3
# ROOT: steps: i64 10
# PAIRS: out: i32[6, 6] {{\[\[}}0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 1, 1]
# FEW: s: i64 34647
# FEW: last: i64 41
# MANY: s: i64 9057967
# MANY: last: i64 32
# TURNED: s: i64 61352830

# A triangle is solved element by element, rows below it are sums.
export def factor(a0: f64[n, n]) -> f64[n, n] {
  var a = a0
  loop i in n {
    loop j in i {
      a[i, j] -= sum(a[i, :j] * a[j, :j])
      a[i, j] /= a[j, j]
    }
    a[i, i] = sqrt(a[i, i] - sum(a[i, :i] * a[i, :i]))
  }
  a
}

# Scalars alone pass from step to step.
export def checksum(data: u8[n]) -> int {
  var crc = 0xFFFF
  loop k in n {
    var cur = int(data[k])
    loop _ in 8 {
      crc = if bitxor(bitand(crc, 1), bitand(cur, 1)) != 0 { bitxor(shr(crc, 1), 0x8408) } else { shr(crc, 1) }
      cur = shr(cur, 1)
    }
  }
  crc
}

# Columns are slices that are no neighbours.
export def orthogonal(n: int, m: int) -> (q: f64[n, m], r: f64[m, m]) {
  var a: f64[n, m] = for i in n, j in m { f64((i * 7 + j * 5) % 11) }
  var q: f64[n, m] = zeros(n, m)
  var r: f64[m, m] = zeros(m, m)
  loop k in m {
    r[k, k] = sqrt(sum(a[:, k] * a[:, k]))
    q[:, k] = a[:, k] / r[k, k]
    loop j in k+1:m {
      r[k, j] = sum(q[:, k] * a[:, j])
      a[:, j] -= q[:, k] * r[k, j]
    }
  }
  (q, r)
}

# The end depends on what the steps compute.
export def root(a: f64[n], tol: f64) -> (x: f64, steps: int) {
  var x: f64 = 20.0
  var err: f64 = inf
  var steps = 0
  while err > tol and steps < 100 {
    let f = sum for i { (x - a[i]) ** 3 }
    let d = f / sum for i { 3.0 * (x - a[i]) ** 2 }
    x -= d
    err = abs(d)
    steps += 1
  }
  (x, steps)
}

# Branches and a loop as long as the steps around it say.
export def pairs(seq: i32[n]) -> i32[n, n] {
  var t: i32[n, n] = zeros(n, n)
  loop r in n {
    let i = n - 1 - r
    loop j in i+1:n {
      t[i, j] = max(t[i, j], t[i, j-1])
      if i + 1 < n { t[i, j] = max(t[i, j], t[i+1, j]) }
      if i < j - 1 {
        let m: i32 = if seq[i] + seq[j] == 3 { 1 } else { 0 }
        t[i, j] = max(t[i, j], t[i+1, j-1] + m)
      }
      loop k in i+1:j { t[i, j] = max(t[i, j], t[i, k] + t[k+1, j]) }
    }
  }
  t
}

# Rows that depend on the row before: a map, then element by element.
export def sweep(n: int, m: int) -> (s: int, last: int) where n >= 3, m >= 2 {
  var a: int[m, n] = for i in m, j in n { (i * 5 + j * 3) % 17 }
  loop i in 1:m {
    a[i, 1:n-1] += a[i-1, 0:n-2] - a[i-1, 2:n]
    loop j in 1:n-1 { a[i, j] = (a[i, j] + a[i, j-1]) % 1000 }
  }
  (sum(a), a[m-1, n-2])
}

# Rows are written, columns are read.
export def turned(n: int, m: int) -> (s: int) where n >= 1, m >= 1 {
  var a: int[n, m] = for i in n, j in m { i * m + j }
  var b: int[m, n] = zeros(m, n)
  loop i in n {
    b[:, i] = a[i, :] * 2
    a[i, :] = for j in m { sum for k in n { b[j, k] } }
  }
  (sum(a))
}
