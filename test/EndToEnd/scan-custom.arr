# A scan with a function: a linear recurrence by pairs.
# RUN: arrc run %s --check 'a=[2, 3, 1]' 'b=[1, 1, 5]' | FileCheck %s
def step(x: (int, int), y: (int, int)) -> (int, int) = (x.0 * y.0, x.1 * y.0 + y.1)
export def f(a: int[n], b: int[n]) -> int[n] {
  let r = scan(step) for i { (a[i], b[i]) }
  r.1
}

# CHECK: out: i64[3] [1, 4, 9]
