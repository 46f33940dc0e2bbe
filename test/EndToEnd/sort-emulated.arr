# Sorts on the emulated CUDA driver, which finds races: tiles and rows on chip,
# one after the other in a loop; the last tile is not full.
# REQUIRES: cuda-emulator
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check n=2 m=700 t=2 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=3 %emulate arrc run %s --target=cuda --check n=3 m=9001 t=1 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_CHECK=races %emulate arrc run %s --target=cuda --check n=50 m=17 t=1 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(n: int, m: int, t: int) -> (x: f32[n, m], y: i16[n, m]) {
  var s = for i in n, j in m { (f32((j * 7919 + i) % 523 - 200), i16(j)) }
  loop k in t { s = sort(s, axis = 1, by = fn(p) => p.0 * f32(k * 2 - 1)) }
  (for i, j { s[i, j].0 }, for i, j { s[i, j].1 })
}
