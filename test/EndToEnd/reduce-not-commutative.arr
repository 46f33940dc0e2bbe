# Matrix products: the operator does not commute, the order counts.
# RUN: arrc run %s --check 'x=[1, 2, 3, 4]' | FileCheck %s
def mul(a: (int, int, int, int), b: (int, int, int, int)) -> (int, int, int, int) =
  (a.0 * b.0 + a.1 * b.2, a.0 * b.1 + a.1 * b.3, a.2 * b.0 + a.3 * b.2, a.2 * b.1 + a.3 * b.3)
export def f(x: int[n]) -> (a: int, b: int, c: int, d: int) {
  let (a, b, c, d) = reduce(mul, (1, 0, 0, 1)) for i { (x[i], 1, 1, 0) }
  (a, b, c, d)
}

# CHECK: a: i64 43
# CHECK: b: i64 10
# CHECK: c: i64 30
# CHECK: d: i64 7
