# RUN: arrc run %s --check --entry=lines a=3 c=2 | FileCheck %s --check-prefix=LINES
# RUN: arrc run %s --check --entry=calls a=3 c=2 | FileCheck %s --check-prefix=LINES
# RUN: arrc run %s --check --entry=halves a=1000000 | FileCheck %s --check-prefix=HALVES
# RUN: arrc run %s --check --entry=sizes n=1 m=2 | FileCheck %s --check-prefix=SIZES
# Products that would have thousands of terms are values like any other; the
# sizes that are made of them are compared all the same.

export def lines(a: int, c: int) -> int {
  let x0 = a
  let x1 = x0 * x0 + c
  let x2 = x1 * x1 + c
  let x3 = x2 * x2 + c
  let x4 = x3 * x3 + c
  let x5 = x4 * x4 + c
  let x6 = x5 * x5 + c
  let x7 = x6 * x6 + c
  let x8 = x7 * x7 + c
  let x9 = x8 * x8 + c
  x9
}

def square(x: int, c: int) -> int = x * x + c
export def calls(a: int, c: int) -> int =
  square(square(square(square(square(square(square(square(square(a, c), c), c), c), c), c), c), c), c)
# LINES: out: i64 -8433866475028180901

export def halves(a: int) -> int {
  let y1 = a // 3 + a // 2
  let y2 = y1 // 3 + y1 // 2
  let y3 = y2 // 3 + y2 // 2
  let y4 = y3 // 3 + y3 // 2
  let y5 = y4 // 3 + y4 // 2
  let y6 = y5 // 3 + y5 // 2
  let y7 = y6 // 3 + y6 // 2
  let y8 = y7 // 3 + y7 // 2
  let y9 = y8 // 3 + y8 // 2
  let y10 = y9 // 3 + y9 % 7
  let y11 = y10 // 3 + y10 % 7
  let y12 = y11 // 3 + y11 % 7
  y12
}
# HALVES: out: i64 7181

def power(x: int) -> int = x * x * x * x
export def sizes(n: int, m: int) -> f32[?] {
  let long = power(n + m + 1) * power(n + m + 2) % 7
  let a = for i in long { 1.0 }
  let b = for i in long { f32(i) }
  a + b
}
# SIZES: out: f32[1] [1]
