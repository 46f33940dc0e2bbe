# Three buffers that rotate.
# RUN: arrc run %s --check 'u0=[1, 0, 0, 0]' 'u1=[0, 1, 0, 0]' steps=3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'u0=[1, 0, 0, 0]' 'u1=[0, 1, 0, 0]' steps=0 | FileCheck %s --check-prefix=R2
export def f(u0: int[n], u1: int[n], steps: int) -> (um: int[n], u: int[n]) {
  var um = u0
  var u = u1
  loop _ in steps {
    let e = extend(u, wrap)
    let next = stencil i in n { e[i-1] + e[i+1] - um[i] }
    (um, u) = (u, next)
  }
  (um, u)
}

# R1: um: i64[4] [0, 0, 0, 1]
# R1: u: i64[4] [1, 0, 0, 0]
# R2: um: i64[4] [1, 0, 0, 0]
# R2: u: i64[4] [0, 1, 0, 0]
