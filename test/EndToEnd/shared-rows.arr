# Rows of which each block keeps a part, and that several blocks have together, on
# the emulated CUDA driver: of every length, in any order of blocks.
# REQUIRES: cuda-emulator, libdevice
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run --target=cuda --check %s --entry softmax n=2 m=65541 2>&1 | FileCheck %s
# RUN: env ARRC_EMULATOR_SEED=2 %emulate arrc run --target=cuda --check %s --entry softmax n=3 m=81924 2>&1 | FileCheck %s
# RUN: env ARRC_EMULATOR_SEED=5 %emulate arrc run --target=cuda --check %s --entry normal n=2 m=70001 2>&1 | FileCheck %s
# RUN: env ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run --target=cuda --check %s --entry halves n=1 m=65537 2>&1 | FileCheck %s
# CHECK: check: ok
export def softmax(n: int, m: int) -> f32[n, m] {
  let a = for i in n, j in m { f32((i * 7 + j * 3) % 11) - 4.0 }
  for i in n {
    let hi = max(a[i])
    let e = for j in m { exp(a[i, j] - hi) }
    let s = sum(e)
    for j in m { e[j] / s }
  }
}
export def normal(n: int, m: int) -> f64[n, m] {
  let a = for i in n, j in m { f64((i * 5 + j * 3) % 13) }
  for i in n {
    let mean = sum(a[i]) / f64(m)
    let d = for j in m { a[i, j] - mean }
    let v = sum for j in m { d[j] * d[j] } / f64(m)
    for j in m { d[j] / sqrt(v + 0.25) }
  }
}
export def halves(n: int, m: int) -> f16[n, m] {
  let a = for i in n, j in m { f16((i * 5 + j * 3) % 13) }
  for i in n {
    let hi = max(a[i])
    let lo = min(a[i])
    for j in m { (a[i, j] - lo) / (hi - lo) }
  }
}
export def places(n: int, m: int) -> i64[n, m] {
  let a = for i in n, j in m { i64((i * 5 + j * 3) % 1013) }
  for i in n {
    let at = argmax(a[i])
    for j in m { a[i, j] - at }
  }
}
