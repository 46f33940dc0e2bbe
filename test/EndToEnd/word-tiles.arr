# Windows whose operands and results are narrower than a word: a thread takes a word of
# neighbours of several rows. Less than one tile, odd and even rows, several blocks, no result.
# RUN: arrc run %s --check n=2 m=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=3 m=7 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=40 m=131 2>&1 | FileCheck %s
# RUN: arrc run %s --check n=75 m=302 2>&1 | FileCheck %s
export def tiles(n: int, m: int)
    -> (a: u8[n - 2, m - 2], b: i8[n - 2, m], c: f16[n - 2, m - 2], d: bool[n - 2, m - 2], e: u8[n, m],
        g: i16[n - 2, m - 2]) {
  let x = for i in n, j in m { sum for r in 300 { (i * r + j * (r + 3) + j // 5) % 7 } }
  let u = for i in n, j in m { u8(x[i, j] % 251) }
  let s = for i in n, j in m { i8(x[i, j] % 127 - 60) }
  let f = for i in n, j in m { f16(x[i, j] % 11) }
  let p = for i in n, j in m { x[i, j] % 3 == 0 }
  let t = for i in n, j in m { i16(x[i, j] % 1009 - 500) }
  let w = extend(u, clamp)
  (for i in n - 2, j in m - 2 { u8((sum for q in 3, r in 3 { i32(u[i + q, j + r]) }) // 9) },
   for i in n - 2, j in m { max for q in 3 { s[i + q, j] } },
   for i in n - 2, j in m - 2 { max for q in 3, r in 3 { f[i + q, j + r] } },
   for i in n - 2, j in m - 2 { any for q in 3, r in 3 { p[i + q, j + r] } },
   for i in n, j in m { max(max(w[i-1, j], w[i+1, j]), max(w[i, j-1], w[i, j+1])) },
   for i in n - 2, j in m - 2 { max for q in 3, r in 3 { t[i + q, j + r] } })
}
# CHECK: check: ok
