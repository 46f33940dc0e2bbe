# A while that carries arrays and swaps them.
# RUN: arrc run %s --check 'a0=[1, 1]' 'b0=[0, 1]' k=4 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a0=[1, 1]' 'b0=[0, 1]' k=0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check 'a0=[10, 10]' 'b0=[5, 5]' k=100 | FileCheck %s --check-prefix=R3
export def f(a0: int[n], b0: int[n], k: int) -> (a: int[n], b: int[n], rounds: int) {
  var a = a0
  var b = b0
  var r = 0
  while r < k and sum(a) < 100 {
    let next = a + b
    b = a
    a = next
    r += 1
  }
  (a, b, r)
}

# R1: a: i64[2] [5, 8]
# R1: b: i64[2] [3, 5]
# R1: rounds: i64 4
# R2: a: i64[2] [1, 1]
# R2: b: i64[2] [0, 1]
# R2: rounds: i64 0
# R3: a: i64[2] [65, 65]
# R3: b: i64[2] [40, 40]
# R3: rounds: i64 4
