# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# The promise of a stencil.
const offset = [0, 1, 2]
def scaled(a: f32[n]) -> f32[n] {
  let u = extend(a, clamp)
  stencil i in n { u[2 * i] }
}
def order(a: f32[n, n]) -> f32[n, n] {
  let u = extend(a, clamp)
  stencil i in n, j in n { u[j, i] }
}
def gather(a: f32[n], idx: int[n]) -> f32[n] {
  let u = extend(a, clamp)
  stencil i in n {
    let k = idx[i]
    u[k]
  }
}
def far(a: f32[n], d: int) -> f32[n] {
  let u = extend(a, clamp)
  stencil i in n { u[i + d] }
}
def through(u: f32[n], i: int) -> f32 = u[i % 2]
def called(a: f32[n]) -> f32[n] where n > 2 = stencil i in n { through(a, i) }
def condition(a: f32[n]) -> f32[?] = stencil i in n if a[i] > 0.0 { a[i] }
def steps(a: f32[n]) -> f32[n] = stencil i in 0:n:2 { a[i] }
def fine(a: f32[n], g: f32[n, 3]) -> f32[n] {
  let u = extend(a, clamp)
  stencil i in n {
    let l = i - 1
    sum for d in 3 { u[l + offset[d]] * g[i, d] }
  }
}


# CHECK: error[E0307]: this read of 'u' breaks the promise of 'stencil'
# CHECK-NEXT:  --> {{.*}}stencils.arr:6:22
# CHECK-NEXT:   |
# CHECK-NEXT: 6 |   stencil i in n { u[2 * i] }
# CHECK-NEXT:   |                      ^^^^^ not an index of the stencil plus a constant
# CHECK-NEXT: help: write 'for' instead of 'stencil'

# CHECK: error[E0308]: 'u' is read with the indices of the stencil out of order
# CHECK-NEXT:   --> {{.*}}stencils.arr:10:33
# CHECK-NEXT:    |
# CHECK-NEXT: 10 |   stencil i in n, j in n { u[j, i] }
# CHECK-NEXT:    |                                 ^
# CHECK-NEXT: help: write 'for' instead of 'stencil'

# CHECK: error[E0307]: this read of 'u' breaks the promise of 'stencil'
# CHECK-NEXT:   --> {{.*}}stencils.arr:16:7
# CHECK-NEXT:    |
# CHECK-NEXT: 16 |     u[k]
# CHECK-NEXT:    |       ^ not an index of the stencil plus a constant
# CHECK-NEXT: help: write 'for' instead of 'stencil'

# CHECK: error[E0307]: this read of 'u' breaks the promise of 'stencil'
# CHECK-NEXT:   --> {{.*}}stencils.arr:21:22
# CHECK-NEXT:    |
# CHECK-NEXT: 21 |   stencil i in n { u[i + d] }
# CHECK-NEXT:    |                      ^^^^^ not an index of the stencil plus a constant
# CHECK-NEXT: help: write 'for' instead of 'stencil'

# CHECK: error[E0307]: this read of 'a' breaks the promise of 'stencil'
# CHECK-NEXT:   --> {{.*}}stencils.arr:23:43
# CHECK-NEXT:    |
# CHECK-NEXT: 23 | def through(u: f32[n], i: int) -> f32 = u[i % 2]
# CHECK-NEXT:    |                                           ^^^^^ not an index of the stencil plus a constant
# CHECK-NEXT: help: write 'for' instead of 'stencil'

# CHECK: error[E0305]: a 'stencil' has no condition
# CHECK-NEXT:   --> {{.*}}stencils.arr:25:56
# CHECK-NEXT:    |
# CHECK-NEXT: 25 | def condition(a: f32[n]) -> f32[?] = stencil i in n if a[i] > 0.0 { a[i] }
# CHECK-NEXT:    |                                                        ^^^^^^^^^^

# CHECK: error[E0306]: a 'stencil' has no steps
# CHECK-NEXT:   --> {{.*}}stencils.arr:26:47
# CHECK-NEXT:    |
# CHECK-NEXT: 26 | def steps(a: f32[n]) -> f32[n] = stencil i in 0:n:2 { a[i] }
# CHECK-NEXT:    |                                               ^^^^^
