# Filters of the host: several results, indices, conditions that loop, rows, all
# and none kept, sizes around tiles; folded without being stored; carried in a
# loop; beside each other.
# RUN: arrc run %s --check --entry f n=1000 m=7 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry f n=70001 m=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry f n=0 m=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry f n=1 m=1 --threads 1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry g n=50 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry g n=1 2>&1 | FileCheck %s
# REQUIRES: cuda-emulator
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry f n=9000 m=7 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_EMULATOR_SEED=3 %emulate arrc run %s --target=cuda --check --entry f n=20001 m=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry f n=0 m=2 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache %emulate arrc run %s --target=cuda --check --entry f n=1 m=1 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry g n=50 2>&1 | FileCheck %s
# CHECK: check: ok
export def f(n: int, m: int) -> (some: f32[?k], at: i32[k], all: i16[?], none: f64[?], odd: int[?], far: f32[?], sums: f32, most: f32, number: int, tail: f32[?]) {
  let a = for i in n { f32((i * 7919) % 523 - 200) }
  let p = for i in n if a[i] > 0.0 { (a[i] * 0.5, i32(i)) }
  let q = for x in a if x % 3.0 == 0.0 { x + 1.0 }
  # The condition has a loop of its own.
  let far = for i in n if (sum for j in m { a[(i + j) % n] }) > 10.0 { a[i] }
  let kept = for x in a if x > 100.0 { x }
  (p.0, p.1,
   for i in n if i >= 0 { i16(i % 100) },
   for x in a if x > 1000.0 { f64(x) },
   for i in n, j in m if (i + j) % 2 == 1 { i * m + j },
   far,
   sum(q), max(for x in q { abs(x) }),
   size(for x in a if x < 0.0 { x }),
   for i in size(kept) if i % 5 == 0 { kept[i] })
}
export def g(n: int) -> (rest: int[?], rounds: int, rows: f32[?, 3], inside: int[n], inner: f32[n]) {
  var rest: int[?] = for i in n { i }
  var rounds = 0
  while size(rest) > 1 {
    rest = for x in rest if (x + rounds) % 3 != 0 { x }
    rounds += 1
  }
  let b = for i in n, j in 3 { f32(i * 3 - j) }
  (rest, rounds,
   for i in n if i % 4 == 1 { b[i] },
   for i in n { sum(for j in n if (i * j) % 3 == 1 { j }) },
   for i in n { max(-inf, max for x in (for j in n if j < i { f32(j) }) { x }) })
}
