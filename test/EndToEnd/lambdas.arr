# Lambdas with captures, functions as arguments, let-bound functions.
# RUN: arrc run %s --check 'a=[1, 2, 3]' k=10 | FileCheck %s
def apply(f: fn(int) -> int, a: int[n]) -> int[n] = for x in a { f(x) }
def fold(op: fn(int, int) -> int, e: int, a: int[n]) -> int = reduce(op, e, a)
def square(x: int) -> int = x * x
export def f(a: int[n], k: int) -> (x: int[n], y: int[n], z: int) {
  let g = fn(x) => x * k + 1
  (apply(g, a), apply(square, a), fold(fn(x, y) { let m = max(x, y)
    m }, 0, a))
}

# CHECK: x: i64[3] [11, 21, 31]
# CHECK: y: i64[3] [1, 4, 9]
# CHECK: z: i64 3
