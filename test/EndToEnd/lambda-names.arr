# A lambda sees what stands before it, not the names that come later.
# RUN: arrc run %s --check --entry constant 'a=[1.0, 2.0]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry parameter a=3.0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry function 'a=[1.0, 2.0]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry nested a=3.0 | FileCheck %s --check-prefix=R4
const g = 9.81
export def constant(a: f64[n]) -> (y: f64[n], total: f64) {
  let weight = fn(h: f64) => g * h
  let g = sum(a)
  (weight(a), g)
}
export def parameter(a: f64) -> f64 {
  let square = fn(x) => x * x
  let x = square(a)
  square(x)
}
def double(x: f64) -> f64 = 2.0 * x
export def function(a: f64[n]) -> f64 {
  let twice = fn(x) => double(x)
  let double = sum(a)
  twice(a[0]) + double
}
export def nested(a: f64) -> f64 {
  let outer = fn(x) {
    let k = 2.0 * a
    let inner = fn(y) => y * k
    let z = inner(x)
    inner(z)
  }
  let z = outer(1.0)
  let k = outer(z)
  k + z
}

# R1: y: f64[2] [9.81, 19.62]
# R1: total: f64 3
# R2: out: f64 81
# R3: out: f64 5
# R4: out: f64 1332
