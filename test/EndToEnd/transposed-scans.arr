# Scans along an axis that the operand has elsewhere: on a card it is written the other way
# round first, where there is enough of it.
# REQUIRES: cuda-emulator
# RUN: %emulate arrc run %s --target=cuda --check --entry sums n=70 m=90 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check --entry sums n=15 m=700 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check --entry sums n=700 m=15 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check --entry sums n=0 m=90 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check --entry three n=19 m=67 k=5 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check --entry two n=33 m=80 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check --entry steps n=33 m=80 2>&1 | FileCheck %s
# CHECK: check: ok

export def sums(n: int, m: int) -> (u: int[n, m], v: i32[n, m]) {
  let a = for j in m, i in n { (i * 7 + j * 3) % 11 - 5 }
  (scan((+), for i in n, j in m { 2 * a[j, i] + j }, axis = 1), scan(max, for i in n, j in m { i32(a[j, i]) }, axis = 1))
}

# The axis in front of the operand is in the middle of the result, and the last one.
export def three(n: int, m: int, k: int) -> (u: int[n, k, m], v: int[k, n, m]) {
  let a = for j in m, i in n, l in k { (i * 7 + j * 3 + l) % 11 - 5 }
  (scan((+), for i in n, l in k, j in m { a[j, i, l] }, axis = 2), scan((+), for l in k, i in n, j in m { a[j, i, l] }, axis = 2))
}

export def two(n: int, m: int) -> int[n, m] {
  let a = for j in m, i in n { (i * 7 + j * 3) % 11 - 5 }
  let b = for i in n, j in m { (i + j) % 5 }
  scan((+), for i in n, j in m { a[j, i] * b[i, j] + a[j, i] }, axis = 1)
}

# In a loop, where nothing is allocated anew.
export def steps(n: int, m: int) -> int[n, m] {
  let a = for j in m, i in n { (i * 7 + j * 3) % 11 - 5 }
  var s = for i in n, j in m { 0 }
  loop t in 3 {
    let u = for i in n, j in m { s[i, j] % 7 + a[j, i] }
    s = scan((+), u, axis = 1)
  }
  s
}
