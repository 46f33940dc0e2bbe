# Filters on devices, where what a block keeps goes through shared memory:
# every element type, values of several arrays, values computed from indices and
# read where they are kept, a condition of indices alone, a dimension of a
# matrix, all and none kept, carried in a loop; sums of what narrow integers say.
# RUN: arrc run %s --check --entry f n=100003 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry g n=5000 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry sums n=70001 2>&1 | FileCheck %s
# REQUIRES: cuda-emulator
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry f n=20003 2>&1 | FileCheck %s --implicit-check-not="one thread"
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=5 ARRC_EMULATOR_BLOCKS=40 %emulate arrc run %s --target=cuda --check --entry f n=400000 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry f n=0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry f n=8192 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry g n=5000 2>&1 | FileCheck %s --implicit-check-not="one thread"
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry sums n=20001 2>&1 | FileCheck %s --implicit-check-not="one thread"
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=2 %emulate arrc run %s --target=cuda --check --entry sums n=300000 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(n: int) -> (a8: u8[?], a16: i16[?], a32: i32[?], a64: i64[?], h: f16[?], s: f32[?ks], d: f64[ks], at: int[ks], flags: bool[?], even: int[?], read: f64[?], cells: i32[?], everything: f32[?], nothing: u8[?]) {
  let k = for i in n { i32((i * 7919) % 1009) }
  let x = for i in n { f32(k[i]) * 0.5 - 200.0 }
  let w = for i in n { f64(k[i]) * 0.25 }
  let three = for i in n if x[i] > 0.0 { (x[i], w[i] + 1.0, i) }
  (for v in k if v % 2 == 0 { u8(v % 256) },
   for v in k if v > 500 { i16(v) },
   for v in k if v < 10 { v },
   for v in k if v % 3 == 1 { i64(v) * 1_000_000_007 },
   for v in x if v > 100.0 { f16(v) },
   three.0, three.1, three.2,
   for v in k if v % 5 != 0 { v % 2 == 0 },
   for i in n if i % 2 == 0 { i },
   for i in n if k[i] % 7 == 0 { w[i] * 2.0 },
   for i in n // 8, j in 8 if k[i * 8 + j] % 2 == 1 { k[i * 8 + j] },
   for v in x if v > -1000.0 { v },
   for v in k if v > 5000 { u8(1) })
}
export def g(n: int) -> (left: f32[?], rounds: int) {
  var left: f32[?] = for i in n { f32((i * 7919) % 1009) }
  var rounds = 0
  while size(left) > 10 and rounds < 20 {
    left = for i in size(left) if (int(left[i]) + i) % 3 != rounds % 3 { left[i] + 1.0 }
    rounds += 1
  }
  (left, rounds)
}
export def sums(n: int) -> (count: int[n], before: int[n], small: int[n], unsigned: int[n], half: int[n], rows: int[n // 100, 100]) {
  let k = for i in n { (i * 7919) % 1009 }
  (scan((+)) for i in n { int(k[i] > 500) },
   exscan((+), 0) for i in n { int(k[i] % 3 == 0) },
   scan((+)) for i in n { int(i8(k[i] % 256 - 128)) },
   scan((+)) for i in n { int(u8(k[i] % 256)) },
   exscan((+), 5) for i in n { int(i16(k[i] * 64 - 32000)) },
   for i in n // 100 { scan((+)) for j in 100 { int(k[i * 100 + j] > 300) } })
}
