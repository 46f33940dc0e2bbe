# A sum of bf16 beside scans: it waits in a register while other kernels run.
# RUN: arrc run %s --check d=[1.0,2.0,3.5] b=[1,-2,127] | FileCheck %s
# CHECK: bs: bf16 6.5
# CHECK: k: i8[3] [1, -1, 126]
# CHECK: hm: f16[3] [1, 2, 3.5]
export def f(d: f16[n], b: i8[n]) -> (bs: bf16, k: i8[n], hm: f16[n]) =
  (sum for i { bf16(d[i]) }, scan((+), b), scan(max, d))
