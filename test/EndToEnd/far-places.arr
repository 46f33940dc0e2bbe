# Places that wrap or lie far outside, under conditions that keep them out: a
# condition wraps as all else does, and what it admits is read where it lies.
# RUN: arrc run %s --check --entry strided 'y=full(2.0, 17)' 2>&1 | FileCheck %s --check-prefix=STRIDED
# RUN: arrc run %s --check --entry strided 'y=full(2.0, 17)' --sanitize 2>&1 | FileCheck %s --check-prefix=STRIDED
# RUN: arrc run %s --check --entry strided 'y=full(2.0, 300)' 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: arrc run %s --check --entry wrapped 'b=[7, 8, 9]' k=2 2>&1 | FileCheck %s --check-prefix=WRAPPED
# RUN: arrc run %s --check --entry wrapped 'b=[7, 8, 9]' k=2 -O0 2>&1 | FileCheck %s --check-prefix=WRAPPED
# RUN: arrc run %s --check --entry wrapped 'b=[7, 8, 9]' k=0 2>&1 | FileCheck %s --check-prefix=WRAPPED
# RUN: arrc run %s --check --entry chosen 'b=[7, 8, 9]' k=-9223372036854775807 2>&1 | FileCheck %s --check-prefix=CHOSEN
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry strided 'y=full(2.0, 17)' 2>&1 | FileCheck %s --check-prefix=STRIDED %}
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry wrapped 'b=[7, 8, 9]' k=2 2>&1 | FileCheck %s --check-prefix=WRAPPED %}
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry chosen 'b=[7, 8, 9]' k=-9223372036854775807 2>&1 | FileCheck %s --check-prefix=CHOSEN %}
# RUN: arrc run %s --check --entry clamped 'b=[10, 20, 30, 40]' 2>&1 | FileCheck %s --check-prefix=CLAMPED
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry clamped 'b=[10, 20, 30, 40]' 2>&1 | FileCheck %s --check-prefix=CLAMPED %}
# RUN: arrc run %s --check --entry extended 'b=[10, 20, 30, 40, 50]' 'a=[-3, 9223372036854775807, -9223372036854775808, 4294967297, 2]' k=-9223372036854775807 2>&1 | FileCheck %s --check-prefix=EXTENDED
# RUN: %if cuda-emulator %{ %emulate arrc run %s --target=cuda --check --entry extended 'b=[10, 20, 30, 40, 50]' 'a=[-3, 9223372036854775807, -9223372036854775808, 4294967297, 2]' k=-9223372036854775807 2>&1 | FileCheck %s --check-prefix=EXTENDED %}

# 2^32 + 1 is no 1.
# STRIDED: check: ok
# STRIDED: out: f32[17] [1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
# MANY: check: ok
export def strided(y: f32[m]) -> f32[m] = for j in m {
  let p = (1 - bitand(j, 255)) * -4294967297
  if p < 0 or p >= m { 1.0 } else { y[p] }
}

# WRAPPED: check: ok
# WRAPPED: out: i64[3] [1, 1, 1]
export def wrapped(b: int[n], k: int) -> int[n] = for j in n {
  let p = ((k % 3) - 1) + 9223372036854775807
  if p < 0 or p >= n { 1 } else { b[p] }
}

# What is chosen is as far as what it is chosen from.
# CHOSEN: check: ok
# CHOSEN: out: i64[3] [1, 1, 1]
export def chosen(b: int[n], k: int) -> int[n] = for j in n {
  let p = min(k, j) - 3
  if p >= 0 and p < n { b[p] } else { 1 }
}

# Twice -(2^63 - 1) is 2: what is multiplied with so much may wrap, on a card too.
# CLAMPED: check: ok
# CLAMPED: out: i64[4] [10, 10, 30, 10]
export def clamped(b: int[n]) -> int[n] {
  let e = extend(b, clamp)
  for j in n { e[(0 - bitand(j, 255)) * 9223372036854775807] }
}

# So may what is added to a number that was read, or given.
# EXTENDED: check: ok
# EXTENDED: clamped: i64[5] [50, 10, 10, 10, 10]
export def extended(b: int[n], a: int[n], k: int) -> (clamped: int[n], wrapped: int[n], mirrored: int[n],
                                                      reflected: int[n], chosen: int[n]) {
  let (c, w, m, r) = (extend(b, clamp), extend(b, wrap), extend(b, mirror), extend(b, reflect))
  (for j in n { c[a[j] - 1 + -9223372036854775807] },
   for j in n { w[max(0, k) - bitand(j, 255) + -9223372036854775807] },
   for j in n { m[a[j] + k - 3] },
   for j in n { r[a[j] * 3 - 7 + j] },
   for j in n { if a[j] + k < n { b[clamp(a[j] + k, 0, n - 1)] } else { b[clamp(a[j] - 4294967296, 0, n - 1)] } })
}
