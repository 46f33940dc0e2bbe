# Scans with operators of one's own on several parts: each part goes on with what the
# parts before came to, and no element is known that changes nothing.
# RUN: arrc run %s --check --entry sums n=20000 --target=cpu --parts 1 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry sums n=16385 --target=cpu --parts 3 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry segments n=50007 --target=cpu --parts 2 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry recurrence n=40000 --target=cpu --parts 5 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry rows n=40000 --target=cpu --parts 2 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry before n=40000 --target=cpu --parts 2 2>&1 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry flat n=201 m=203 --target=cpu --parts 2 2>&1 | FileCheck %s --check-prefix=SAME
# SAME: check: ok

export def sums(n: int) -> int[n] = scan(fn(p, q) => p + q) for i in n { i % 13 }

# Sums that begin anew at each multiple of seven.
export def segments(n: int) -> (sums: int[n], begins: bool[n]) {
  let r = scan(fn(p: (int, bool), q: (int, bool)) => (if q.1 { q.0 } else { p.0 + q.0 }, p.1 or q.1)) for i in n {
    (i, i % 7 == 0)
  }
  (for i in n { r[i].0 }, for i in n { r[i].1 })
}

# y[i] = a[i] * y[i - 1] + b[i], modulo a prime
export def recurrence(n: int) -> int[n] {
  let r = scan(fn(p: (int, int), q: (int, int)) => (p.0 * q.0 % 1000003, (p.1 * q.0 + q.1) % 1000003)) for i in n {
    (i % 5 + 1, i)
  }
  for i in n { r[i].1 }
}

export def rows(n: int) -> int[n, 2] = scan(fn(p: int[2], q: int[2]) => for k in 2 { p[k] + q[k] }) for i in n { [10, 1] }

export def before(n: int) -> int[n] = exscan(fn(p, q) => p + q, 0) for i in n { i % 11 }

export def flat(n: int, m: int) -> int[n * m] {
  let a = for i in n, j in m { (i * j) % 17 }
  scan(fn(p, q) => p + q) for v in flatten(a) { v }
}
