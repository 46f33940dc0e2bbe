# What an 'else' knows of a 'var' is what was known before the 'if'.
# RUN: arrc run %s --check "y=[1, 2, 3]" c=true | FileCheck %s --check-prefix=YES
# RUN: arrc run %s --check "y=[1, 2, 3]" c=false | FileCheck %s --check-prefix=NO
# YES: a: f64[1] [7]
# YES: b: i64 1
# NO: a: f64[2] [1, 3]
# NO: b: i64 3
export def f(y: f64[m], c: bool) -> (a: f64[?], b: int) {
  var a: f64[?] = y
  var b: int[?] = iota(m)
  if c { a = [7.0] } else { a = a[::2] }
  let n = if c {
    b = [0]
    size(b)
  } else { size(b) }
  (a, n)
}
