# Rows that a body fills step by step and gives as its value lie in the result:
# forwards and backwards, of what the last steps have left and of what steps in
# front of them find, parts of rows, two at once; on a device a thread has a row.
# REQUIRES: cuda-emulator
# RUN: arrc run %s --check --entry sums 'x=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=SUMS
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry sums 'x=[[1, 2, 3], [4, 5, 6]]' | FileCheck %s --check-prefix=SUMS
# SUMS: up: i64[2, 3] {{\[}}[1, 4, 11], [4, 13, 32]]
# SUMS: down: i64[2, 3] {{\[}}[6, 5, 3], [15, 11, 6]]
# RUN: arrc run %s --check --entry parts 'x=[[1, 2, 3, 4, 5]]' | FileCheck %s --check-prefix=PARTS
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry parts 'x=[[1, 2, 3, 4, 5]]' | FileCheck %s --check-prefix=PARTS
# PARTS: inner: i64[1, 5] {{\[}}[1, 6, 13, 22, 5]]
# PARTS: ends: i64[1, 5] {{\[}}[7, 3, 5, 7, 9]]
# RUN: arrc run %s --check --entry parts 'x=zeros(3, 1)' 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --check --target=cuda --entry parts 'x=zeros(3, 1)' 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --check --target=cuda --entry sums 'x=zeros(2, 0)' 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry batches b=3 n=70 m=33 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --check --target=cuda --entry batches b=3 n=70 m=33 2>&1 | FileCheck %s
# CHECK: check: ok
# RUN: arrc build %s --target=cuda --emit=kernel -o - 2>/dev/null | FileCheck %s --check-prefix=KERNEL
# KERNEL-NOT: kernel.local
export def sums(x: int[n, m]) -> (up: int[n, m], down: int[n, m]) =
  for i in n {
    var up: int[m] = zeros(m)
    var down: int[m] = zeros(m)
    var (s, r) = (0, 0)
    loop t in m {
      s = 2 * s + x[i, t]
      r = r + x[i, m - 1 - t]
      up[t] = s
      down[m - 1 - t] = r
    }
    (up, down)
  }

export def parts(x: int[n, m]) -> (inner: int[n, m], ends: int[n, m]) where m > 0 =
  for i in n {
    var inner = x[i, :]
    var ends = for e in m { 2 * x[i, e] }
    loop t in 1:(m - 1) { inner[t] = inner[t - 1] + inner[t] + inner[t + 1] }
    ends[0] = 7
    loop t in 1:m { ends[t] = ends[t] - 1 }
    (inner, ends)
  }

export def batches(b: int, n: int, m: int) -> f32[b, n, m] where b >= 0, n >= 0, m >= 0 {
  let x = for k in b, i in n, t in m { f32((7 * k + 5 * i + 3 * t) % 16) / 16.0 }
  for k in b, i in n {
    var y: f32[m] = zeros(m)
    if m > 0 { y[0] = x[k, i, 0] }
    loop t in 1:m { y[t] = 0.5 * y[t - 1] + x[k, i, t] }
    y
  }
}
