# A fold of a row beside a scan of it, and reads of the scan at other indices, by
# lanes, warps and blocks: rows that are stored and rows that are computed.
# RUN: arrc run %s --check --entry stored n=3 m=5 | FileCheck %s
# RUN: arrc run %s --check --entry stored n=2 m=200 | FileCheck %s
# RUN: arrc run %s --check --entry computed n=2 m=64 | FileCheck %s
# RUN: arrc run %s --check --entry computed n=3 m=1100 | FileCheck %s
# RUN: arrc run %s --check --entry several n=3 m=70 | FileCheck %s
# RUN: arrc run %s --check --entry several n=70 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry ordered n=4 m=130 | FileCheck %s
# RUN: arrc run %s --check --entry ordered n=5 m=0 | FileCheck %s
# RUN: arrc run %s --check --entry together n=3 m=7 | FileCheck %s
# RUN: arrc run %s --check --entry together n=9 m=3 | FileCheck %s
# RUN: arrc run %s --check --entry together n=2 m=100 | FileCheck %s
# CHECK: out
export def stored(n: int, m: int) -> int[n, m] {
  let a = for i in n, j in m { (i * 7 + j * 5) % 13 - 6 }
  for i in n {
    let r = a[i]
    let most = max(r)
    let s = scan((+), r)
    for j in m { s[j] - most }
  }
}
export def computed(n: int, m: int) -> (int[n, m], int[n, m]) {
  let a = for i in n { i * 3 + 4 }
  let back = for i in n {
    let most = max for j in m { a[i] * j }
    let s = scan((+)) for j in m { a[i] * j }
    for j in m { s[m - 1 - j] - most }
  }
  let ahead = for i in n {
    let s = exscan((+), 0) for j in m { a[i] * j }
    let least = min for j in m { a[i] - j }
    for j in m { s[(j + 7) % m] - least }
  }
  (back, ahead)
}
export def several(n: int, m: int) -> (int[n, m], int[n]) {
  let a = for i in n, j in m { (i * 5 + j * 11) % 17 }
  for i in n {
    let r = for j in m { a[i, j] * a[i, m - 1 - j] }
    let most = max(r)
    let up = scan((+), r)
    let least = min(up)
    let down = scan(max) for j in m { r[m - 1 - j] }
    (for j in m { up[m - 1 - j] - most + down[(j + 1) % m] * least }, up[m - 1])
  }
}
export def ordered(n: int, m: int) -> (int[n], i32[n, m], i32[n]) {
  let op = fn(a, b) => (a.0 * b.0, a.1 * b.0 + b.1)
  let a = for i in n, j in m { (i32((i + j) % 5) - 2, i32((i * 3 + j) % 7)) }
  for i in n {
    let total = sum for j in m { a[i, j].1 }
    let all = reduce(op, (i32(1), i32(0))) for j in m { a[i, j] }
    let part = scan(op) for j in m { a[i, j] }
    (total, part.1, all.1)
  }
}
export def together(n: int, m: int) -> int[n, m] {
  let a = for j in m { (j * 5) % 7 }
  for i in n {
    let r = for j in m { a[j] + i }
    let least = min(r)
    let s = scan((+), r)
    for j in m { r[j] - least + s[j] }
  }
}
