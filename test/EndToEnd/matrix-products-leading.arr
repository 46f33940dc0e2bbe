# a @ b with leading dimensions, on both sides or on one; as the loops that they stand for.
# RUN: arrc run %s --check --entry f 'a=[[[1, 2], [3, 4], [5, 6]], [[1, 0], [0, 1], [2, 2]]]' 'b=[[[1, 0, 2, 1], [0, 1, 3, 1]], [[1, 1, 1, 1], [2, 2, 2, 2]]]' 'g=[[1, 1], [0, 2]]' 'v=[10, 1]' 'w=[1, 0, 1]' | FileCheck %s
# RUN: arrc run %s --check --entry four n=7 | FileCheck %s --check-prefix=FOUR
# RUN: arrc run %s --check --entry four n=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry same s=5 n=17 k=33 m=9 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry same s=1 n=1 k=1 m=1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry same s=2 n=3 k=0 m=2 | FileCheck %s --check-prefix=SAME
# RUN: %exit_code 3 arrc run %s --entry wrong 'a=[[[1]], [[2]]]' 'b=[[[1]]]' 2>&1 | FileCheck %s --check-prefix=WRONG
export def f(a: int[s, n, k], b: int[s, k, m], g: int[k, k], v: int[k], w: int[n])
    -> (both: int[s, n, m], right: int[s, n, k], left: int[s, k, m], av: int[s, n], vb: int[s, m], wa: int[s, k]) =
  (a @ b, a @ g, g @ b, a @ v, v @ b, w @ a)
# Two leading dimensions, f16 accumulated in f32, and complex numbers.
export def four(n: int) -> (c: f16[n, 2, 3, 4], z: c64[2, n, n], x: bool) {
  let a = for i in n, j in 2, k in 3, l in 5 { f16(0.5 * (i + j + k + l)) }
  let b = for i in n, j in 2, l in 5, m in 4 { f16(i - j + l - m) }
  let u = for i in 2, j in n, k in n { complex(f32(i + j), f32(k)) }
  let one = for i in n, j in n { if i == j { complex(f32(1.0), f32(0.0)) } else { complex(f32(0.0), f32(0.0)) } }
  let c = a @ b
  (c, u @ one, all for i in n, j in 2, k in 3, m in 4 { c[i, j, k, m] == f16(sum for l in 5 { f32(a[i, j, k, l]) * f32(b[i, j, l, m]) }) })
}
export def same(s: int, n: int, k: int, m: int) -> (both: bool, left: bool, right: bool, vector: bool) {
  let a = for i in s, j in n, l in k { uniform(1, l, j, i) }
  let b = for i in s, l in k, j in m { uniform(2, l, j, i) }
  let p = for l in k, j in m { uniform(3, l, j) }
  let q = for j in n, l in k { uniform(4, l, j) }
  let v = for l in k { uniform(5, l) }
  let c = for i in s, j in n, h in m { sum for l in k { a[i, j, l] * b[i, l, h] } }
  let d = for i in s, j in n, h in m { sum for l in k { a[i, j, l] * p[l, h] } }
  let e = for i in s, j in n, h in m { sum for l in k { q[j, l] * b[i, l, h] } }
  let g = for i in s, j in n { sum for l in k { a[i, j, l] * v[l] } }
  (close(a @ b, c), close(a @ p, d), close(q @ b, e), all(abs(a @ v - g) <= 1e-4))
}
def close(a: f32[s, n, m], b: f32[s, n, m]) -> bool = all(abs(a - b) <= 1e-4)
export def wrong(a: int[s, n, k], b: int[t, k, m]) -> int[s, n, m] = a @ b

# CHECK: both: i64[2, 3, 4] {{\[\[\[}}1, 2, 8, 3], [3, 4, 18, 7], [5, 6, 28, 11]], {{\[\[}}1, 1, 1, 1], [2, 2, 2, 2], [6, 6, 6, 6]]]
# CHECK: right: i64[2, 3, 2] {{\[\[\[}}1, 5], [3, 11], [5, 17]], {{\[\[}}1, 1], [0, 2], [2, 6]]]
# CHECK: left: i64[2, 2, 4] {{\[\[\[}}1, 1, 5, 2], [0, 2, 6, 2]], {{\[\[}}3, 3, 3, 3], [4, 4, 4, 4]]]
# CHECK: av: i64[2, 3] {{\[\[}}12, 34, 56], [10, 1, 22]]
# CHECK: vb: i64[2, 4] {{\[\[}}10, 1, 23, 11], [12, 12, 12, 12]]
# CHECK: wa: i64[2, 2] {{\[\[}}6, 8], [3, 2]]
# FOUR: x: bool true
# NONE: z: c64[2, 0, 0]
# SAME: both: bool true
# SAME: left: bool true
# SAME: right: bool true
# SAME: vector: bool true
# WRONG: matrix-products-leading.arr:{{[0-9]+}}:{{[0-9]+}}: error
