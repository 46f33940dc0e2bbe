# Time loops that take two steps in one pass on a device: numbers of steps that are
# even, odd, none and below none, arrays without an inside, several arrays, a state
# of two times, the number of the step, 1 to 3 dimensions.
# RUN: arrc run %s --entry heat --check --sanitize 'u0=[[1, 2], [3, 4]]' steps=3 | FileCheck %s --check-prefix=EDGE
# RUN: arrc run %s --entry heat --check --sanitize 'u0=[[1, 2, 3, 4], [5, 0, 1, 8], [2, 2, 9, 1], [3, 1, 1, 7]]' steps=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --entry heat --check --sanitize 'u0=[[1, 2, 3, 4], [5, 0, 1, 8], [2, 2, 9, 1], [3, 1, 1, 7]]' steps=-5 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --entry heat --check --sanitize 'u0=[[1, 2, 3, 4], [5, 0, 1, 8], [2, 2, 9, 1], [3, 1, 1, 7]]' steps=1 | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --entry heat --check --sanitize 'u0=[[1, 2, 3, 4], [5, 0, 1, 8], [2, 2, 9, 1], [3, 1, 1, 7]]' steps=4 | FileCheck %s --check-prefix=FOUR
# RUN: arrc run %s --entry ring --check --sanitize 'a0=[1, 2, 4]' 'b0=[1, 0, 3]' first=2 last=7 | FileCheck %s --check-prefix=RING
# RUN: arrc run %s --entry string --check --sanitize 'u0=[0, 1, 0, 2, 0]' steps=5 | FileCheck %s --check-prefix=STRING
# RUN: arrc run %s --entry cube --check --sanitize n=3 steps=3 | FileCheck %s --check-prefix=CUBE
export def heat(u0: f64[n, m], steps: int) -> (u: f64[n, m]) where n >= 2, m >= 2 {
  var u = u0
  loop _ in steps {
    u[1:end-1, 1:end-1] = 0.25 * (u[:end-2, 1:end-1] + u[2:, 1:end-1] + u[1:end-1, :end-2] + u[1:end-1, 2:])
  }
  u
}
export def ring(a0: f32[n], b0: f32[n], first: int, last: int) -> (a: f32[n], b: f32[n]) where n >= 1 {
  var (a, b) = (a0, b0)
  loop t in first:last {
    let (p, q) = (extend(a, wrap), extend(b, wrap))
    let x = stencil i in n { 0.5 * p[i-1] + 0.25 * q[i+1] + f32(t) }
    let y = stencil i in n { 0.5 * q[i] - 0.25 * p[i+1] }
    (a, b) = (x, y)
  }
  (a, b)
}
export def string(u0: f32[n], steps: int) -> (u: f32[n], old: f32[n]) where n >= 2 {
  var (old, u) = (u0, u0)
  loop _ in steps {
    var next = u
    next[1:end-1] = u[:end-2] + u[2:] - old[1:end-1]
    (old, u) = (u, next)
  }
  (u, old)
}
export def cube(n: int, steps: int) -> (sum: f32) where 0 <= n, n <= 64 {
  var u: f32[n, n, n] = for i in n, j in n, k in n { f32(i * j + k) }
  loop _ in steps {
    let e = extend(u, clamp)
    u = stencil i in n, j in n, k in n {
      0.25 * (e[i-1, j, k] + e[i+1, j, k] + e[i, j-1, k] + e[i, j, k+1])
    }
  }
  sum(u)
}

# EDGE: u: f64[2, 2] {{\[\[}}1, 2], [3, 4]]
# NONE: u: f64[4, 4] {{\[\[}}1, 2, 3, 4], [5, 0, 1, 8], [2, 2, 9, 1], [3, 1, 1, 7]]
# ONE: u: f64[4, 4] {{\[\[}}1, 2, 3, 4], [5, 2.5, 5, 8], [2, 3, 1.25, 1], [3, 1, 1, 7]]
# FOUR: u: f64[4, 4] {{\[\[}}1, 2, 3, 4], [5, 3.40625, 3.984375, 8], [2, 1.984375, 2.15625, 1], [3, 1, 1, 7]]
# RING: a: f32[3] [9.176758, 9.352539, 9.238281]
# RING: b: f32[3] [-3.1132812, -3.163086, -3.0117188]
# STRING: u: f32[5] [0, 2, -3, 1, 0]
# STRING: old: f32[5] [0, -2, 0, -1, 0]
# CUBE: sum: f32 54
