# Keys whose range follows from how they are computed are sorted by so many bits: remainders, clamped and widened
# numbers, two numbers far from each other, negative ones; rows of every length that is sorted in a way of its own.
# RUN: arrc run %s --check n=0 | FileCheck %s
# RUN: arrc run %s --check n=1 | FileCheck %s
# RUN: arrc run %s --check n=700 | FileCheck %s
# RUN: arrc run %s --check n=70000 | FileCheck %s
# CHECK: h: i64[
def mix(i: int) -> int = (i * 7919 + 12345) % 1000003 - 500000
export def f(n: int) -> (a: i32[n], b: i32[n], c: i64[n], d: int[n], e: i32[n], g: u8[n], h: i64[n]) where n >= 0 {
  let x = for i in n { i32(mix(i)) }
  let y = for i in n { u8(mix(i) % 256) }
  let a = sort(for i in n { x[i] % 1000 })
  let b = sort(for i in n { i32(y[i]) })
  let c = sort(for i in n { clamp(i64(x[i]), 0 - 70, 9999) })
  let d = argsort(for i in n { min(max(i64(x[i]), 5), 6) })
  let e = sort(for i in n { if x[i] > 0 { i32(1000000000) } else { i32(0 - 1000000000) } })
  let g = sort(for i in n { y[i] % 7 })
  let h = sort(for i in n { i64(x[i] % 3) * 4 - 7 })
  (a, b, c, d, e, g, h)
}
