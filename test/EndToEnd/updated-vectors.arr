# Slices, rows and elements put into arrays of small vectors in time loops: the arrays are carried by component
# where single components are all that the loop uses, and whole where it uses more.
# RUN: arrc run %s --check --entry all n=3 m=4 steps=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry all n=9 m=11 steps=0 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry all n=9 m=11 steps=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry inplace n=3 m=3 steps=2 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry inplace n=9 m=7 steps=3 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry before n=2 k=1 steps=1 2>&1 | FileCheck %s
# RUN: arrc run %s --check --entry before n=13 k=0 steps=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry all n=9 m=11 steps=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry inplace n=9 m=7 steps=3 2>&1 | FileCheck %s
# RUN: env ARRC_CACHE=%t.cache ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init %emulate arrc run %s --target=cuda --check --entry before n=13 k=1 steps=2 2>&1 | FileCheck %s
# REQUIRES: cuda-emulator
# All of it, rows, single components and elements.
export def all(n: int, m: int, steps: int) -> (f: f32[n, m, 3], norms: f32[steps]) where n >= 3, m >= 4 {
  let c = for i in n, j in m, q in 3 { f32((5 * i + 3 * j + q) % 7) }
  var f = for i in n, j in m, q in 3 { f32((i + 2 * j + 3 * q) % 11) }
  var norms: f32[steps] = zeros(steps)
  loop t in steps {
    f[0] = for j in m { for q in 3 { 0.5 * f[n-1, j, q] } }
    f[:, m-1, 1] = for i in n { f[i, 0, 2] + 1.0 }
    f[1, 2] = [f[0, 0, 2], 2.0, 3.0]
    f[2, 1, 0] = f[1, 1, 1]
    f[:, :, 2] = for i in n, j in m { f[i, j, 2] * 0.5 + f[i, j, 0] }
    f[1:3, 1:4] = for i in 2, j in 3 { for q in 3 { c[i, j, q] + f[i+1, j, q] } }
    f[n-1, :] = c[n-1, :]
    let e = extend(f, wrap, clamp, none)
    let g = stencil i in n, j in m { [0.5 * e[i-1, j, 0] + e[i, j, 1], e[i, j+1, 1], 0.5 * e[i, j-1, 2]] }
    norms[t] = sum for i in n, j in m { g[i, j, 0] }
    f = g
    f[:, 0] = for i in n { [g[i, 1, 0], g[i, 1, 1], 0.0] }
  }
  (f, norms)
}
# Only updated in place.
export def inplace(n: int, m: int, steps: int) -> f32[n, m, 2] where n >= 3, m >= 3 {
  var f = for i in n, j in m, q in 2 { f32((i + 2 * j + 3 * q) % 11) }
  loop _ in steps {
    f[1:end-1, 1:end-1] = for i in n - 2, j in m - 2 { [f[i+1, j+1, 1], 0.5 * f[i+1, j+1, 0]] }
    f[0] = for j in m { [f[1, j, 1], f[1, j, 0]] }
    f[n-1] = for j in m { [f[n-2, j, 1], f[n-2, j, 0]] }
  }
  f
}
# The array of the step before lives on, as a whole.
export def before(n: int, k: int, steps: int) -> (f: f32[n, 2], s: f32) where n >= 2, k >= 0, k < 2 {
  var f = for i in n, q in 2 { f32((3 * i + q) % 11) }
  var old = f
  var s: f32 = 0.0
  loop _ in steps {
    s += sum for i in n { old[i, k] }
    old = f
    f[1] = [s, 1.0]
    f = for i in n { [f[i, 1] * 0.5, f[i, 0] + 1.0] }
  }
  (f, s)
}
# CHECK: check: ok
