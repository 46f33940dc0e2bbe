# '@' of narrow integers gives what is declared, as the sums do that it stands for.
# RUN: arrc run %s --check --entry bytes 'a=[[100, 101, 102], [3, 4, 5]]' 'b=[[10, 1], [200, 3], [4, 5]]' 'v=[1, 200, 3]' 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry batches 'a=[[[100, 101], [3, 4]]]' 'b=[[[10, 1], [20000, 3]]]' 2>&1 | FileCheck %s --check-prefix=BATCH
# CHECK: check: ok
# CHECK: p: u8[2, 2] {{\[}}[104, 145], [82, 40]]
# CHECK-NEXT: q: u8[2] [126, 50]
# CHECK-NEXT: r: u8 74
# CHECK-NEXT: s: i64[2, 2] {{\[}}[616, 401], [82, 40]]
# CHECK-NEXT: t: u8[2, 2] {{\[}}[208, 34], [164, 80]]
export def bytes(a: u8[n, m], b: u8[m, k], v: u8[m]) -> (p: u8[n, k], q: u8[n], r: u8, s: int[n, k], t: u8[n, k]) {
  let r: u8 = v @ v
  (a @ b, a @ v, r, a @ b, a @ b + a @ b)
}
# BATCH: check: ok
export def batches(a: i16[h, n, m], b: i16[h, m, k]) -> int {
  let p: i16[h, n, k] = a @ b
  let q: i16[h, n, k] = for g, i, j { sum for l { a[g, i, l] * b[g, l, j] } }
  assert all(p == q)
  sum(p)
}
