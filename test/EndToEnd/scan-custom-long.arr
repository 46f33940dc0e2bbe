# Scans with operators of one's own that go on over many vectors, beside loops.
# RUN: arrc run %s --check --entry recurrence n=12 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry recurrence n=1003 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry parity n=70 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry parity n=5000 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry rows n=201 m=70 | FileCheck %s --check-prefix=SAME
# RUN: arrc run %s --check --entry rows n=3 m=0 | FileCheck %s --check-prefix=SAME
def after(f: (int, int), g: (int, int)) -> (int, int) = (f.0 * g.0, f.1 * g.0 + g.1)
def factor(i: int) -> int = 3 - i % 7
def odd(i: int) -> bool = (i * i + i // 5) % 3 == 1

export def recurrence(n: int) -> (wrong: int) {
  let (p, q) = exscan(after, (1, 0)) for i in n { (factor(i), i) }
  var y: int[n] = zeros(n)
  loop i in 1:n { y[i] = factor(i - 1) * y[i-1] + i - 1 }
  count for i in n { q[i] != y[i] }
}

export def parity(n: int) -> (wrong: int) {
  let s = scan(fn(a, b) => a != b) for i in n { odd(i) }
  let sums = scan((+)) for i in n { int(odd(i)) }
  count for i { s[i] != (sums[i] % 2 == 1) }
}

export def rows(n: int, m: int) -> (wrong: int) {
  let a = for i in n, j in m { odd(i * m + j) }
  let s = scan(fn(x, y) => x != y, a, axis = 1)
  let sums = scan((+), int(a), axis = 1)
  count for i, j { s[i, j] != (sums[i, j] % 2 == 1) }
}

# SAME: wrong: i64 0
