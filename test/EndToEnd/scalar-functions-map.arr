# A function of scalars, given arrays, maps; scalars repeat.
# RUN: arrc run %s --check 'a=[[-3, 5], [12, 9]]' | FileCheck %s
def clip(x: int, lo: int, hi: int) -> int = if x < lo { lo } else if x > hi { hi } else { x }
export def f(a: int[n, m]) -> int[n, m] = clip(a, 0, 9)

# CHECK: out: i64[2, 2] {{\[\[}}0, 5], [9, 9]]
