# a*b + c rounds once in f32 and f64, and so does c - a*b; a bound product does not.
# RUN: arrc run %s --check a=1.00000012 b=0.99999988 c=-1.0 | FileCheck %s
export def f(a: f32, b: f32, c: f32) -> (x: f32, y: f32, z: f32, w: f32) {
  let p = a * b
  (a * b + c, c + a * b, p + c, fma(a, b, c))
}

# CHECK: x: f32 -1.4210855e-14
# CHECK: y: f32 -1.4210855e-14
# CHECK: z: f32 0
# CHECK: w: f32 -1.4210855e-14
