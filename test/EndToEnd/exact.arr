# Under @exact every operation rounds, here and in what is called, on every target.
# RUN: arrc run %s --entry f --check a=1.00000012 b=0.99999988 c=-1.0 | FileCheck %s
# RUN: arrc run %s --entry parts --check a=1.00000012 b=0.99999988 c=-1.0 | FileCheck %s --check-prefix=PARTS
# RUN: arrc run %s --entry sums --check n=300 | FileCheck %s --check-prefix=SUMS
# RUN: arrc build %s --emit=array -o - | FileCheck %s --check-prefix=IR
def called(a: f32, b: f32, c: f32) -> f32 = a * b + c

@exact export def f(a: f32, b: f32, c: f32) -> (x: f32, y: f32, z: f32, w: f32, s: f32, p: f32) {
  let u = [c, a]
  let v = [1.0, b]
  (a * b + c, c + a * b, called(a, b, c), fma(a, b, c), sum for i { u[i] * v[i] }, u @ v)
}
# CHECK: x: f32 0
# CHECK: y: f32 0
# CHECK: z: f32 0
# CHECK: w: f32 -1.4210855e-14
# CHECK: s: f32 0
# CHECK: p: f32 0
# IR-LABEL: func.func @f
# IR-NOT: contract
# IR: math.fma
# IR-NOT: math.fma
# IR-NOT: contract
# IR: return

# One 'for' of several.
export def parts(a: f32, b: f32, c: f32) -> (x: f32[1], y: f32[1], s: f32) {
  let x = @exact for i in 1 { a * b + c }
  let y = for i in 1 { a * b + c }
  let u = [c, a]
  let v = [1.0, b]
  let s = @exact sum for i { u[i] * v[i] }
  (x, y, s)
}
# PARTS: x: f32[1] [0]
# PARTS: y: f32[1] [-1.4210855e-14]
# PARTS: s: f32 0

# Rows, columns and products, where kernels fuse most.
@exact export def sums(n: int) -> (r: f32[n], c: f32[n], m: f32[n, n], d: f64) where n >= 0 {
  let a = for i in n, j in n { uniform(1, j, i) }
  let r = for i in n { sum for j in n { a[i, j] * a[j, i] } }
  let c = sum for i in n { for j in n { a[i, j] * a[i, j] } }
  (r, c, a @ a, sum for i in n, j in n { f64(a[i, j]) * f64(a[j, i]) })
}
# SUMS: m: f32[300, 300]
