# Only the branch that is taken counts, errors included.
# RUN: arrc run %s --check --entry f 'a=[1, 2, 3]' k=2 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry safe a=6 b=0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry safe a=6 b=3 | FileCheck %s --check-prefix=R3
export def f(a: int[n], k: int) -> int[n] =
  for i in n { if i + k < n { a[i + k] } else { -1 } }
export def safe(a: int, b: int) -> (q: int, t: bool) = (if b == 0 { 0 } else { a // b }, b != 0 and a % b == 0)

# R1: out: i64[3] [3, -1, -1]
# R2: q: i64 0
# R2: t: bool false
# R3: q: i64 2
# R3: t: bool true
