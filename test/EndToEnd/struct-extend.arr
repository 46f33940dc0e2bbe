# An extended array of structs, read by field.
# RUN: arrc run %s --check 'h=[1, 2, 3]' | FileCheck %s
struct C { h: int, k: int }
export def f(h: int[n]) -> int[n] {
  let q = for i { C(h = h[i], k = 2 * h[i]) }
  let e = extend(q, clamp)
  stencil i in n { e[i-1].h + e.k[i+1] }
}

# CHECK: out: i64[3] [5, 7, 8]
