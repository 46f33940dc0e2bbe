# Sorts of every length that has an algorithm of its own, of every kind of key:
# equal keys, keys in order and in reverse, NaN, infinities and zeros of both
# signs; rows along each axis; arrays moved along; single values of sorted ones.
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry kinds n=0 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry kinds n=33 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry kinds n=65537 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=7 m=2 k=600 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=1 m=3 k=70001 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry rows n=1 m=2 k=2049 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry axes n=5 m=40 k=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache arrc run %s --check --entry steps n=70000 t=3 2>&1 | FileCheck %s
# CHECK: check: ok
def mix(i: int) -> int = (i * 7919 + i * i * 31 + i // 7) % 100003

def special(i: int) -> f64 {
  let r = mix(i) % 41
  if r == 0 { nan } else if r == 1 { inf } else if r == 2 { -inf }
  else if r == 3 { -0.0 } else if r == 4 { 0.0 } else { f64(r - 20) * 1.5 }
}

export def kinds(n: int) -> (a: i32[n], b: f32[n], c: int[n], d: f16[n], e: int[n], f: u64[n],
                             g: int[n], h: i16[n]) =
  (sort(for i in n { i32(mix(i) * 40000 - 2000000000) }), sort(for i in n { f32(special(i)) }),
   argsort(for i in n { special(i) }), sort(for i in n { f16(special(i)) }),
   argsort(for i in n { mix(i) % 2 == 0 }, by = fn(x) => u8(x)),
   sort(for i in n { u64(mix(i)) * u64(184467440737095) }), argsort(for i in n { i32(7) }),
   sort(for i in n { i16(i % 30000) }, by = fn(x) => -x))

export def rows(n: int, m: int, k: int) -> (a: f32[n, m, k], b: int[n, m, k]) {
  let x = for i in n, j in m, l in k { f32(special(i * 100 + j * 10 + l)) }
  (sort(x, axis = 2), argsort(x, axis = 2))
}

export def axes(n: int, m: int, k: int) -> (a: f32[n, m, k], b: int[n, m, k], c: f32) {
  let x = for i in n, j in m, l in k { f32(special(i * 100 + j * 10 + l)) }
  let s = sort(x, axis = 1)
  (sort(x, axis = 0), argsort(x, axis = 1), s[0, m // 2, 0])
}

# Pairs by one of them, sorted in each step by what the step before made.
export def steps(n: int, t: int) -> (x: int[n], y: f32[n]) {
  var s = for i in n { (mix(i), f32(i)) }
  loop k in t { s = sort(s, by = fn(p) => (p.0 * (k + 3)) % 1013) }
  (for i { s[i].0 }, for i { s[i].1 })
}
