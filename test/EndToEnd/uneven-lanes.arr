# Loops and branches that lanes leave at different times, on a CPU.
# RUN: for n in 0 1 5 77 1203; do arrc run %s --check --entry steps n=$n 2>&1 | FileCheck %s; done
# RUN: for n in 0 1 5 77 1203; do arrc run %s --check --entry integers n=$n 2>&1 | FileCheck %s; done
# RUN: for n in 0 1 5 77 1203; do arrc run %s --check --entry sides n=$n 2>&1 | FileCheck %s; done
# RUN: for n in 0 1 17 130; do arrc run %s --check --entry columns n=$n m=67 2>&1 | FileCheck %s; done
# RUN: for n in 0 1 17 130; do arrc run %s --check --entry columns n=33 m=$n 2>&1 | FileCheck %s; done
# RUN: for n in 1 40 77; do arrc run %s --check --entry escape n=$n m=45 2>&1 | FileCheck %s; done
# RUN: for n in 0 1 40 777; do arrc run %s --check --sanitize --entry search n=$n m=519 2>&1 | FileCheck %s; done
# RUN: arrc run %s --check --sanitize --entry steps n=777 2>&1 | FileCheck %s
# RUN: arrc run %s --check --sanitize --entry sides n=777 2>&1 | FileCheck %s
# RUN: arrc run %s --check --sanitize --entry columns n=50 m=777 2>&1 | FileCheck %s
# CHECK: check: ok

# A loop within a loop, each with its own end; what is the same in all lanes goes on as a number.
export def steps(n: int) -> (root: f32[n], k: i32[n], v: f64[n], count: int[n]) {
  let a = for i in n { 0.37 * f32((i * 7919) % 1009) }
  let x = for i in n { f64((i * 31) % 150) - 10.0 }
  let (root, k) = for i in n {
    var r = a[i]
    var k: i32 = 0
    while k < 40 and abs(r * r - a[i]) > 1e-5 * a[i] {
      r = 0.5 * (r + a[i] / r)
      k += 1
    }
    (r, k)
  }
  let (v, count) = for i in n {
    var v = x[i]
    var count = 0
    while v < 100.0 {
      var w: f64 = 1.0
      while w < v + 2.0 {
        w = w * 2.0
        count += 1
      }
      if count % 4 == 0 { v = v + w } else { v = v * 2.0 + 1.0 }
    }
    (v, count)
  }
  (root, k, v, count)
}

# Lanes that are done divide by whatever they have.
export def integers(n: int) -> (d: i32[n], d64: int[n], s: i16[n], c: int[n]) {
  let a: i32[n] = for i in n { i32((i * 7919) % 10007) }
  let b: i32[n] = for i in n { i32((i * 31) % 97) }
  let d: i32[n] = for i in n {
    var (x, y) = (a[i], b[i])
    while y != 0 { (x, y) = (y, x % y) }
    x
  }
  let d64 = for i in n {
    var (x, y) = (int(a[i]), int(b[i]))
    while y != 0 { (x, y) = (y, x % y) }
    x
  }
  let s: i16[n] = for i in n {
    var t: i16 = 0
    loop k in b[i] { t = t * 3 + i16(k) }
    t
  }
  let c = for i in n {
    var v = i
    var c = 0
    while v > 1 {
      if v % 2 == 0 { v = v // 2 } else { v = 3 * v + 1 }
      c += 1
    }
    c
  }
  (d, d64, s, c)
}

# Sides that cost too much to run both: loops, logarithms, reads that are only there for some.
export def sides(n: int) -> (r: f32[n], t: f64[n], h: c128[n]) {
  let x = for i in n { f32((i * 37) % 101) / 101.0 }
  let at = for i in n { (i * 13) % (n + 3) }
  let r = for i in n {
    var r = x[i]
    if x[i] > 0.5 {
      loop k in 3 { r = r * x[i] + sin(r) }
    } else {
      if x[i] > 0.2 { r = log(1.0 + x[i]) }
    }
    r
  }
  let t = for i in n {
    var t: f64 = 0.0
    if at[i] < n {
      loop k in at[i] % 9 { t = t * 0.5 + f64(x[at[i]]) }
    }
    t
  }
  let h = for i in n {
    var z = complex(f64(x[i]), 1.0)
    loop k in at[i] % 5 { z = z * z - complex(0.5, f64(k)) }
    z
  }
  (r, t, h)
}

# Recurrences along what the lanes share, as long as each says.
export def columns(n: int, m: int) -> (s: f64[m], l: f64[m], t: f64[n, m]) {
  let a = for i in n, j in m { f64((i * 101 + j * 57) % 1009) / 1009.0 - 0.4 }
  let s = for j in m {
    var s: f64 = 0.0
    loop i in n { s = 0.5 * s + a[i, j] * (if a[i, j] > 0.0 { sqrt(a[i, j]) } else { exp(a[i, j]) }) }
    s
  }
  let l = for j in m {
    var l: f64 = 1.0
    loop i in (j * 7) % (n + 1):n { l = l * 0.5 + a[i, j] }
    l
  }
  let t = transpose(for j in m {
    var row = for i in n { a[i, j] }
    loop i in 1:n { row[i] = 0.7 * row[i-1] + row[i] }
    row
  })
  (s, l, t)
}

export def escape(n: int, m: int) -> (k: i32[n, m], z: c128[n, m]) {
  let (k, z) = for i in n, j in m {
    let c = complex(-2.0 + 3.0 * f64(j) / f64(m), -1.5 + 3.0 * f64(i) / f64(n))
    var z = c
    var k: i32 = 0
    while k < 60 and re(z)**2 + im(z)**2 <= 4.0 {
      z = z * z + c
      k += 1
    }
    (k, z)
  }
  (k, z)
}

# Each lane looks somewhere else: they wait together.
export def search(n: int, m: int) -> (at: int[m]) {
  let a = for i in n { f64(i * i % 1000 + 1000 * i) }
  let x = for j in m { f64((j * 7919) % (1000 * n + 3)) }
  for j in m {
    var (lo, hi) = (0, n)
    while lo < hi {
      let mid = (lo + hi) // 2
      if a[mid] < x[j] { lo = mid + 1 } else { hi = mid }
    }
    lo
  }
}
