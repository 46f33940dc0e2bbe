# Types with names, arrays of small arrays.
# RUN: arrc run %s --check 'a=[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]' 'b=[0.0, 1.0, 0.0]' | FileCheck %s
type real = f32
type vec = real[3]
def cross(a: vec, b: vec) -> vec = [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
export def f(a: vec[n], b: vec) -> vec[n] = for i { cross(a[i], b) }

# CHECK: out: f32[2, 3] {{\[\[}}0, 0, 1], [0, 0, 0]]
