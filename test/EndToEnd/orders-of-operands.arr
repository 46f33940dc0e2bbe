# Folds of rows with columns whose operands lie in any order, and maps that read
# one array along and another across: with as many rows and columns as copies
# and squares are made for, one less, one more, none.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=64 m=16 k=5 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=63 m=17 k=33 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=70 m=15 k=9 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=3 m=40 k=20 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=130 m=47 k=1 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=0 m=20 k=4 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry products n=80 m=20 k=0 2>&1 | FileCheck %s
# Long ones, of which some steps at a time are added to tiles.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --entry long n=515 m=133 k=1100 | FileCheck %s --check-prefix=LONG
# RUN: env ARRC_CACHE=%t.cache arrc run %s --entry long n=512 m=128 k=1024 | FileCheck %s --check-prefix=LONG
# RUN: env ARRC_CACHE=%t.cache arrc run %s --entry long n=64 m=33 k=1100 | FileCheck %s --check-prefix=LONG
# LONG: out: i64 0
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry maps n=64 m=16 k=16 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry maps n=2 m=17 k=31 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry maps n=33 m=129 k=15 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry maps n=1 m=1 k=50 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry maps n=0 m=20 k=20 2>&1 | FileCheck %s
# CHECK: check: ok
def number(i: int) -> int = (i * 7919 + i * i * 31) % 97

export def products(n: int, m: int, k: int) -> (a: f32[n, m], b: f64[n, m], c: i32[n, m],
                                               d: f32[3, n, m], e: f32[n, m], g: f64[n, m])
where n >= 0, m >= 0, k >= 0 {
  let rows = for i in n, l in k { f32(number(i * k + l)) * 0.125 }
  let turned = for l in k, i in n { f64(number(i * k + l)) * 0.25 }
  let columns = for j in m, l in k { f32(number(j + 3 * l)) * 0.5 }
  let wide = for j in m, l in k { f64(number(j + 3 * l)) }
  let stack = for p in 3, j in m, l in k { f32(number(p + j + 3 * l)) }
  let a = for i in n, j in m { sum for l in k { rows[i, l] * columns[j, l] } }
  let b = for i in n, j in m { sum for l in k { turned[l, i] * wide[j, l] } }
  let c = for i in n, j in m { max for l in k { int(rows[i, l]) - int(columns[j, l]) } }
  let d = for p in 3, i in n, j in m { sum for l in k { rows[i, l] * stack[p, j, l] } }
  let e = for i in n, j in m { sum for l in k { (rows[i, l] - columns[j, l])**2 } + f32(j) }
  # Of a triangle, which copies are made for all the same.
  let g = for i in n, j in m { sum for l in min(i, k) { turned[l, i] * wide[j, l] } }
  (a, b, for i, j { i32(c[i, j]) }, d, e, g)
}

# Compared with products of fewer steps, whose integers are exact: how many
# elements differ.
export def long(n: int, m: int, k: int) -> int
where n >= 0, m >= 0, k >= 1000 {
  let rows = for i in n, l in k { f32(number(i * k + l) % 8) }
  let columns = for l in k, j in m { f32(number(j + 3 * l) % 8) }
  let a = for i in n, j in m { (sum for l in k { rows[i, l] * columns[l, j] }) + f32(i) }
  let front = for i in n, j in m { sum for l in 600 { rows[i, l] * columns[l, j] } }
  let back = for i in n, j in m { sum for l in k - 600 { rows[i, 600 + l] * columns[600 + l, j] } }
  let c = for i in n, j in m { min for l in k { rows[i, l] + columns[l, j] } }
  let d = for i in n, j in m { min for l in 600 { rows[i, l] + columns[l, j] } }
  let e = for i in n, j in m { min for l in k - 600 { rows[i, 600 + l] + columns[600 + l, j] } }
  (sum for i, j { int(a[i, j] != front[i, j] + back[i, j] + f32(i)) }) +
    (sum for i, j { int(c[i, j] != min(d[i, j], e[i, j])) })
}

export def maps(n: int, m: int, k: int) -> (a: f32[m, k], b: u8[m, k], c: f64[n, m, k],
                                           d: f32[m, k], e: i16[m, k])
where n >= 0, m >= 0, k >= 0 {
  let x = for j in k, i in m { f32(number(i + 2 * j)) * 0.125 }
  let y = for i in m, j in k { f32(number(i * k + j)) }
  let bytes = for j in k, i in m { u8(number(3 * i + j)) }
  let cube = for l in k, p in n, j in m { f64(number(p + 2 * j + 3 * l)) }
  let a = for i in m, j in k { x[j, i] }
  let b = for i in m, j in k { bytes[j, i] + u8(1) }
  let c = for p in n, i in m, j in k { cube[j, p, i] + f64(y[i, j]) }
  let d = for i in m, j in k { tanh(x[j, i] * 0.01 + y[i, j] * 0.02) }
  let e = for i in m, j in k { i16(x[j, i]) - i16(bytes[j, i]) }
  (a, b, c, d, e)
}
