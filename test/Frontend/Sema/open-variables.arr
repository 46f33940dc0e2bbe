# RUN: not arrc check %s 2>&1 | FileCheck %s --match-full-lines
# A variable without a declared type took the usual one: the help is to declare it.

export def result(n: int) -> int[n] {
  var c = zeros(n)
  loop k in n { c[k] = k * k }
  c
}
export def update(x: f64[n]) -> f64 {
  var s = 0.0
  loop k in n { s += x[k] }
  f64(s)
}
export def assigned(x: f32[n, m]) -> int[n] {
  var at = zeros(n)
  at = for i in n { argmax(x[i]) }
  int(at)
}
export def fixed(x: f64[n]) -> f64[n] {
  let r = for i in n { uniform(1, i) }
  x + r
}
export def declared(x: f64[n]) -> f64[n] {
  var r: f32[n] = zeros(n)
  x + r
}

# CHECK: error[E0216]: the result is int[n], but this is f32[n]
# CHECK-NEXT:  --> {{.*}}open-variables.arr:7:3
# CHECK-NEXT:   |
# CHECK-NEXT: 5 |   var c = zeros(n)
# CHECK-NEXT:   |       - 'c' is f32[n], as no type is declared here
# CHECK-NEXT: 7 |   c
# CHECK-NEXT:   |   ^
# CHECK-NEXT: help: declare it: 'var c: int[n] = ..'

# CHECK: error[E0218]: '+': f32 and f64 do not meet
# CHECK: 10 |   var s = 0.0
# CHECK-NEXT:    |       - 's' is f32, as no type is declared here
# CHECK: help: declare it: 'var s: f64 = ..'

# CHECK: error[E0216]: what is assigned to 'at' is f32[n], but this is int[n]
# CHECK: help: declare it: 'var at: int[n] = ..'

# CHECK: error[E0218]: '+': f64[n] and f32[n] do not meet
# CHECK: help: declare it: 'let r: f64[n] = ..'

# CHECK: error[E0218]: '+': f64[n] and f32[n] do not meet
# CHECK: help: two float types never mix: convert one side, as in 'f64(..)'
