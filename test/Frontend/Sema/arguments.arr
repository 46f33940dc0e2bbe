# RUN: not arrc check %s 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not=help
# What is wrong with an argument is said, and nothing that is not.
def twice(a: f32[n, m]) -> f32 = sum(a, axis = (0, 0))
def mode(a: f32[n]) -> f32[n] { let u = extend(a, periodic)
  for i in n { u[i-1] } }
def ranks(a: f32[n], b: f32[n, m]) -> f32[?] = concat(a, b)
def compares(a: f32[n]) -> f32 = reduce(fn(x, y) => x > y, 0.0, a)
def first(x: f32[n, m]) -> f32 = x[0, 0]
def of_scalar(a: f32) -> f32 = first(a)
def small(x: f32[n + 3]) -> int = n
def too_small(a: f32[2]) -> int = small(a)
def complex_floor(z: c64) -> c64 = z + 7 // 2
def complex_rest(z: c64) -> c64 = z + 7 % 2
def later(a: f32) -> f32 {
  let g = fn(x) => x * k
  let k = 2.0 * a
  g(k)
}
def given(f: fn(f32) -> f32, x: f32) -> f32 = f(x)
def huge(a: f16) -> f16 = a + 70000
def endless(x: f32) -> f32 = given(fn(y) => endless(y), x)

# CHECK: error[E0333]: 'axis 0' is given twice
# CHECK: arguments.arr:3:52
# CHECK: error[E0200]: 'periodic' is not declared
# CHECK: help: modes are clamp, wrap, mirror, reflect and none, or the value that is read outside
# CHECK: error[E0218]: 'concat': f32[n] and f32[n, m] do not meet
# CHECK: error[E0216]: the result is f32, but this is bool
# CHECK: help: write the conversion: 'f32(..)'
# CHECK: error[E0216]: the parameter 'x' is f32[?, ?], but this is f32
# CHECK: arguments.arr:9:38
# CHECK: error[E0262]: the size -1 is negative
# CHECK: arguments.arr:11:35
# CHECK: error[E0234]: '//' is not defined on complex numbers
# CHECK: error[E0234]: '%' is not defined on complex numbers
# CHECK: error[E0200]: 'k' is not declared
# CHECK: error[E0219]: 70000 does not fit f16
# CHECK: error[E0209]: 'endless' calls itself
# CHECK: help: functions cannot call themselves
