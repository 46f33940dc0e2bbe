# Rows that networks sort, on the emulated CUDA driver, which finds races: keys of
# all kinds alone, with their places, with what they carry; lengths around those
# at which a network merges once more, and at which another one takes over.
# REQUIRES: cuda-emulator
# DEFINE: %{run} = env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check
# RUN: %{run} -D M=9 --entry keys n=3 2>&1 | FileCheck %s
# RUN: %{run} -D M=33 --entry keys n=35 2>&1 | FileCheck %s
# RUN: %{run} -D M=257 --entry keys n=2 2>&1 | FileCheck %s
# RUN: %{run} -D M=2500 --entry keys n=1 2>&1 | FileCheck %s
# RUN: %{run} -D M=31 --entry places n=9 2>&1 | FileCheck %s
# RUN: %{run} -D M=512 --entry places n=3 2>&1 | FileCheck %s
# RUN: %{run} -D M=1025 --entry places n=2 2>&1 | FileCheck %s
# RUN: %{run} --entry any n=0 m=3 k=700 2>&1 | FileCheck %s
# RUN: %{run} --entry any n=5 m=2 k=65 2>&1 | FileCheck %s
# RUN: env ARRC_EMULATOR_SEED=5 %{run} --entry any n=2 m=3 k=513 2>&1 | FileCheck %s
# RUN: %{run} --entry known n=4 2>&1 | FileCheck %s
# CHECK: check: ok
const M: int = 64

def mix(i: int) -> int = (i * 7919 + i * i * 31 + i // 7) % 100003

def special(i: int) -> f64 {
  let r = mix(i) % 41
  if r == 0 { nan } else if r == 1 { inf } else if r == 2 { -inf }
  else if r == 3 { -0.0 } else if r == 4 { 0.0 } else { f64(r - 20) * 1.5 }
}

export def keys(n: int) -> (a: i8[n, M], b: u16[n, M], c: i32[n, M], d: u32[n, M], e: int[n, M],
                            f: u64[n, M], g: f16[n, M], h: f32[n, M], k: f64[n, M], l: i32[n, M]) {
  let x = for i in n, j in M { mix(i * M + j) }
  let y = for i in n, j in M { special(i * M + j) }
  (sort(for i, j { i8(x[i, j] % 256 - 128) }, axis = 1), sort(for i, j { u16(x[i, j] % 65536) }, axis = 1),
   sort(for i, j { i32(x[i, j] * 40000 - 2000000000) }, axis = 1),
   sort(for i, j { u32(x[i, j] * 40000) }, axis = 1),
   sort(for i, j { (x[i, j] - 50000) * 184467440737095 }, axis = 1),
   sort(for i, j { u64(x[i, j]) * u64(184467440737095) }, axis = 1),
   sort(for i, j { f16(y[i, j]) }, axis = 1), sort(for i, j { f32(y[i, j]) }, axis = 1),
   sort(y, axis = 1), sort(for i in n, j in M { i32(2147483647) }, axis = 1))
}

export def places(n: int) -> (a: int[n, M], b: int[n, M], c: int[n, M], d: int[n, M]) {
  let x = for i in n, j in M { mix(i * M + j) }
  let y = for i in n, j in M { special(i * M + j) }
  (argsort(for i, j { i16(x[i, j] % 300 - 150) }, axis = 1), argsort(for i, j { f32(y[i, j]) }, axis = 1),
   argsort(y, axis = 1), argsort(for i in n, j in M { u32(4294967295) }, axis = 1))
}

export def any(n: int, m: int, k: int) -> (a: f32[n, k, m], b: int[n, k, m]) {
  let s = sort(for i in n, l in k, j in m { (f32(special(i * 100 + j * 10 + l)), l) }, axis = 1, by = fn(p) => p.0)
  (for i, l, j { s[i, l, j].0 }, for i, l, j { s[i, l, j].1 })
}

# Lengths and ranges that are numbers; medians of rows; a sort in a loop.
export def known(n: int) -> (a: int[n, 100], b: f32[n], c: i32[64], d: int[n, 1000]) {
  let x = for i in n, j in 100 { mix(i * 100 + j) % 1000 - 70 }
  let y = for i in n, j in 101 { f32(special(i * 101 + j)) }
  var v = for j in 64 { i32(mix(j)) }
  loop q in n { v = sort(for j in 64 { v[j] * i32(q + 3) % i32(1013) }) }
  (sort(x, axis = 1), for i in n { sort(y[i])[50] }, v,
   argsort(for i in n, j in 1000 { mix(i * 1000 + j) % 50 }, axis = 1))
}
