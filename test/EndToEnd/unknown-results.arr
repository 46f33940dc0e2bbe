# Results of unknown size, whatever the last expression is.
# RUN: arrc run %s --check 'a=[1, 2, 4, 8]' | FileCheck %s
def slice(a: int[n]) -> int[?] = a[1:n]
def steps(a: int[n]) -> int[?] = a[0:n:2]
def gathered(a: int[n]) -> int[?] = a[[0, 1]]
def twice(a: int[n]) -> int[?] = concat(a, a)
def flat(a: int[n]) -> int[?] = flatten([a, a])
def counts(a: int[n]) -> int[?] = hist((+), 0, n) for i in n { (i, 1) }
def replaced(a: int[n]) -> int[?] = scatter(a) for i in n { (i, 2) }
def sums(a: int[n]) -> int[?] = a + a
def pairs(a: int[n]) -> (int[?k], int[k], int) = (a[1:n], a[0:n-1], 3)
def wrapped(a: int[n]) -> int[?] = extend(a[1:n], wrap)
export def f(a: int[n]) -> (x: int[8], v: int, w: int) {
  let (p, q, r) = pairs(a)
  let e = wrapped(a)
  ([sum(slice(a)), sum(steps(a)), sum(gathered(a)), sum(twice(a)), sum(flat(a)), sum(counts(a)), sum(replaced(a)),
    sum(sums(a))], sum(p * q) + r, e[-1])
}

# CHECK: x: i64[8] [14, 5, 3, 30, 30, 4, 8, 30]
# CHECK: v: i64 45
# CHECK: w: i64 8
