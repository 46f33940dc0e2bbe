# Ranges that do not start at 0, and steps.
# RUN: arrc run %s --check n=6 | FileCheck %s
export def f(n: int) -> (a: int[?], b: int[?], c: int[?]) {
  let a: int[?] = for i in 2:n { i }
  let b: int[?] = for i in 0:n:2 { i }
  let c: int[?] = for i in 1:n:3 { i }
  (a, b, c)
}

# CHECK: a: i64[4] [2, 3, 4, 5]
# CHECK: b: i64[3] [0, 2, 4]
# CHECK: c: i64[2] [1, 4]
