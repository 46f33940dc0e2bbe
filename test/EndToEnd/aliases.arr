# Types with names, arrays of small arrays.
# RUN: arrc run %s --check 'a=[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]' 'b=[0.0, 1.0, 0.0]' --entry f | FileCheck %s
# RUN: arrc run %s --check 'a=[1.0, 2.0, 3.0]' --entry g | FileCheck %s --check-prefix=R2
type real = f32
type vec = real[3]
def cross(a: vec, b: vec) -> vec = [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
export def f(a: vec[n], b: vec) -> vec[n] = for i { cross(a[i], b) }
# Of a lambda's parameter, and of functions.
type rule = fn(vec) -> vec
type operation = fn(real, real) -> real
def apply(r: rule, a: vec) -> vec = r(a)
def last(op: operation, a: vec) -> real = op(a[1], a[2])
export def g(a: vec) -> (x: vec, y: real, z: real) {
  let first = fn(v: vec) => v[0] + v[1]
  (apply(fn(v: vec) => 2.0 * v, a), last((*), a), first(a))
}

# CHECK: out: f32[2, 3] {{\[\[}}0, 0, 1], [0, 0, 0]]
# R2: x: f32[3] [2, 4, 6]
# R2: y: f32 6
# R2: z: f32 3
