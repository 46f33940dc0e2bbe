# Rows whose components go ways of their own in a step: a component that is a
# number is made in the place of one that nothing reads, the others have second
# buffers.
# RUN: arrc run %s --check --entry shift b=[5,6,7,8,9] k=0 | FileCheck %s --check-prefix=S0
# RUN: arrc run %s --check --entry shift b=[5,6,7,8,9] k=1 | FileCheck %s --check-prefix=S1
# RUN: arrc run %s --check --entry shift b=[5,6,7,8,9] k=2 | FileCheck %s --check-prefix=S2
# RUN: arrc run %s --check --entry shift b=[5,6,7,8,9] k=3 | FileCheck %s --check-prefix=S3
# RUN: arrc run %s --check --entry shift b=[] k=3 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry long b=[5,6,7] k=0 | FileCheck %s --check-prefix=L0
# RUN: arrc run %s --check --entry long b=[5,6,7] k=1 | FileCheck %s --check-prefix=L1
# RUN: arrc run %s --check --entry long b=[5,6,7] k=2 | FileCheck %s --check-prefix=L2
# RUN: arrc run %s --check --entry long b=[5,6,7] k=3 | FileCheck %s --check-prefix=L3
# RUN: arrc run %s --check --entry two a=[1.0,2.0,4.0] s=0.5 k=0 | FileCheck %s --check-prefix=T0
# RUN: arrc run %s --check --entry two a=[1.0,2.0,4.0] s=0.5 k=1 | FileCheck %s --check-prefix=T1
# RUN: arrc run %s --check --entry two a=[1.0,2.0,4.0] s=0.5 k=2 | FileCheck %s --check-prefix=T2
# RUN: arrc run %s --check --entry two a=[1.0,2.0,4.0] s=0.5 k=3 | FileCheck %s --check-prefix=T3
export def shift(b: u8[m], k: int) -> u8[m, 3] {
  var v: u8[m, 3] = for j in m { [b[j], 1, 2] }
  loop q in k {
    let e = extend(v, wrap, none)
    v = stencil j in m { [1, 1 + e[j + 1, 0], 1 + e[j - 2, 1]] }
  }
  v
}

export def long(b: int[m], k: int) -> int[m, 4] {
  var v: int[m, 4] = for j in m { [b[j], 1, 2, 3] }
  loop q in k {
    let e = extend(v, wrap, none)
    v = stencil j in m { [9, e[j + 1, 0], 1 + e[j - 1, 1], e[j + 1, 2] * 2] }
  }
  v
}

export def two(a: f32[n], s: f32, k: int) -> (u: f32[n, 3], v: f32[n, 3]) {
  var u: f32[n, 3] = for j in n { [a[j], a[j] + 1, 2] }
  var v: f32[n, 3] = for j in n { [1, 2, a[j]] }
  loop q in k {
    let e = extend(v, mirror, none)
    v = stencil j in n { [1 - e[j - 1, 2], 1, 1] }
    let f = extend(u, clamp, none)
    u = stencil j in n { [1 + f[j + 1, 1], 1, 1] }
    v = for j in n { [1, 1, s + v[j, 0]] }
  }
  (u, v)
}

# S0: out: u8[5, 3] {{\[\[}}5, 1, 2], [6, 1, 2], [7, 1, 2], [8, 1, 2], [9, 1, 2]]
# S1: out: u8[5, 3] {{\[\[}}1, 7, 2], [1, 8, 2], [1, 9, 2], [1, 10, 2], [1, 6, 2]]
# S2: out: u8[5, 3] {{\[\[}}1, 2, 11], [1, 2, 7], [1, 2, 8], [1, 2, 9], [1, 2, 10]]
# S3: out: u8[5, 3] {{\[\[}}1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]
# NONE: out: u8[0, 3] []
# L0: out: i64[3, 4] {{\[\[}}5, 1, 2, 3], [6, 1, 2, 3], [7, 1, 2, 3]]
# L1: out: i64[3, 4] {{\[\[}}9, 6, 2, 4], [9, 7, 2, 4], [9, 5, 2, 4]]
# L2: out: i64[3, 4] {{\[\[}}9, 9, 6, 4], [9, 9, 7, 4], [9, 9, 8, 4]]
# L3: out: i64[3, 4] {{\[\[}}9, 9, 10, 14], [9, 9, 10, 16], [9, 9, 10, 12]]
# T0: u: f32[3, 3] {{\[\[}}1, 2, 2], [2, 3, 2], [4, 5, 2]]
# T0: v: f32[3, 3] {{\[\[}}1, 2, 1], [1, 2, 2], [1, 2, 4]]
# T1: u: f32[3, 3] {{\[\[}}4, 1, 1], [6, 1, 1], [6, 1, 1]]
# T1: v: f32[3, 3] {{\[\[}}1, 1, 0.5], [1, 1, 0.5], [1, 1, -0.5]]
# T2: u: f32[3, 3] {{\[\[}}2, 1, 1], [2, 1, 1], [2, 1, 1]]
# T2: v: f32[3, 3] {{\[\[}}1, 1, 1], [1, 1, 1], [1, 1, 1]]
# T3: u: f32[3, 3] {{\[\[}}2, 1, 1], [2, 1, 1], [2, 1, 1]]
# T3: v: f32[3, 3] {{\[\[}}1, 1, 0.5], [1, 1, 0.5], [1, 1, 0.5]]
