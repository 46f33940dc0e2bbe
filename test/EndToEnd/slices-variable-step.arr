# Slices whose step is known when the program runs: read, written, in bodies and time loops.
# RUN: arrc run %s --entry read --check 'a=[1.0, 2.0, 3.0, 4.0, 5.0]' 'b=[[1, 2, 3], [4, 5, 6]]' k=2 | FileCheck %s
# RUN: arrc run %s --entry read --check 'a=[1.0, 2.0, 3.0, 4.0, 5.0]' 'b=[[1, 2, 3], [4, 5, 6]]' k=7 | FileCheck %s --check-prefix=FAR
# RUN: arrc run %s --entry read --check 'a=[1.0]' 'b=[[]]' k=1 | FileCheck %s --check-prefix=ONE
# RUN: %exit_code 3 arrc run %s --entry read 'a=[1.0, 2.0, 3.0]' 'b=[[1]]' k=0 2>&1 | FileCheck %s --check-prefix=ZERO
# RUN: %exit_code 3 arrc run %s --entry read 'a=[1.0, 2.0, 3.0]' 'b=[[1]]' k=-1 2>&1 | FileCheck %s --check-prefix=BACK
# RUN: arrc run %s --entry written --check 'a=[1.0, 2.0, 3.0, 4.0, 5.0]' 'b=[[1, 2, 3], [4, 5, 6], [7, 8, 9]]' k=2 steps=3 | FileCheck %s --check-prefix=WRITTEN
# RUN: arrc run %s --entry inside --check 'k=[1, 2, 3, 40, 5]' n=33 | FileCheck %s --check-prefix=INSIDE
# RUN: %exit_code 3 arrc run %s --entry inside 'k=[1, 2, 0]' n=33 2>&1 | FileCheck %s --check-prefix=BAD
# RUN: arrc run %s --entry sieve --check n=50 | FileCheck %s --check-prefix=SIEVE
export def read(a: f32[n], b: int[m, l], k: int) -> (x: f32[?], y: f32[?], z: int[m, ?q], s: f32, w: int[?, ?v]) {
  let x = a[::k]
  let y = a[1::k]
  let z = b[:, ::k]
  let w = b[::k, 0:l:k]
  (x, y, z, sum(a[0:n:k]), w)
}
# CHECK: x: f32[3] [1, 3, 5]
# CHECK: y: f32[2] [2, 4]
# CHECK: z: i64[2, 2] {{\[\[}}1, 3], [4, 6{{\]\]}}
# CHECK: s: f32 9
# CHECK: w: i64[1, 2] {{\[\[}}1, 3{{\]\]}}
# FAR: x: f32[1] [1]
# FAR: y: f32[1] [2]
# FAR: z: i64[2, 1] {{\[\[}}1], [4{{\]\]}}
# ONE: x: f32[1] [1]
# ONE: y: f32[0]
# ZERO: the step of a slice is not positive: k - 1 is -1
# BACK: the step of a slice is not positive: k - 1 is -2

export def written(a: f32[n], b: int[m, l], k: int, steps: int) -> (u: f32[n], v: int[m, l], w: f32[n]) where k >= 1, n >= 1, m >= 1, l >= 1 {
  var u = a
  u[::k] = 0.0
  u[1::k] += a[1::k]
  var v = b
  v[::k, ::k] = -v[::k, ::k]
  v[0, ::k] = 0
  v[::k, 0] -= 1
  var w = a
  loop t in steps {
    w[t % n::t + 1] = 2.0 * w[t % n::t + 1]
  }
  (u, v, w)
}
# WRITTEN: u: f32[5] [0, 4, 0, 8, 0]
# WRITTEN: v: i64[3, 3] {{\[\[}}-1, 2, 0], [4, 5, 6], [-8, 8, -9{{\]\]}}
# WRITTEN: w: f32[5] [2, 8, 12, 16, 10]

# Each iteration has a step of its own.
export def inside(k: int[m], n: int) -> (s: int[m], u: int[m, n]) where n >= 1 {
  let a = iota(n)
  let s = for i { sum(a[::k[i]]) }
  let u = for i {
    var v = a
    v[::k[i]] = 0
    v[min(i, n)::k[i]] += 5
    v
  }
  (s, u)
}
# INSIDE: s: i64[5] [528, 272, 165, 0, 105]
# BAD: the step of a slice is not positive

export def sieve(n: int) -> int[?] where n >= 2 {
  var prime = full(true, n)
  prime[0:2] = false
  loop k in 2:n {
    if k * k < n and prime[min(k, n - 1)] { prime[k * k:n:k] = false }
  }
  for i in n if prime[i] { i }
}
# SIEVE: out: i64[15] [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
