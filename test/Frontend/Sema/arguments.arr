# RUN: not arrc check %s 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not=help
# What is wrong with an argument is said, and nothing that is not.
def twice(a: f32[n, m]) -> f32 = sum(a, axis = (0, 0))
def mode(a: f32[n]) -> f32[n] { let u = extend(a, periodic)
  for i in n { u[i-1] } }
def ranks(a: f32[n], b: f32[n, m]) -> f32[?] = concat(a, b)
def compares(a: f32[n]) -> f32 = reduce(fn(x, y) => x > y, 0.0, a)

# CHECK: error[E0333]: 'axis 0' is given twice
# CHECK: arguments.arr:3:52
# CHECK: error[E0200]: 'periodic' is not declared
# CHECK: help: modes are clamp, wrap, mirror, reflect and none, or the value that is read outside
# CHECK: error[E0218]: 'concat': f32[n] and f32[n, m] do not meet
# CHECK: error[E0216]: the result is f32, but this is bool
# CHECK: help: write the conversion: 'f32(..)'
