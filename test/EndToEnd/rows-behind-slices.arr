# Rows made behind a slice whose check may fail in the body: their size is the same
# at every point, whether the check depends on the point or not.
# RUN: arrc run %s --check 'b=[5, 6, 7]' 'y=[1.0, 2.0]' | FileCheck %s
# RUN: arrc run %s --check -O0 'b=[5, 6, 7]' 'y=[1.0, 2.0]' | FileCheck %s
# RUN: arrc run %s --check 'b=[5]' 'y=[1.0]' | FileCheck %s --check-prefix=ONE
# RUN: arrc run %s --check 'b=[]' 'y=[]'
# RUN: not arrc run %s --sanitize 'b=[5]' 'y=[1.0, 2.0, 3.0]' 2>&1 | FileCheck %s --check-prefix=OUT
def tail(b: int[n], i: int) -> int[n] {
  var a: int[n] = b
  a[i:] = 1
  a
}

export def f(b: int[n], y: f32[m]) -> (p: int[m, n], q: int[m, n], r: int[m, n], s: int[?k, n], t: bool[m, n], u: c64[m, n], v: int[m, n]) {
  # It depends on the point.
  let p = for i in m {
    let a = tail(b, i)
    for j in n { a[j] + i }
  }
  # So does what a loop has to run for.
  let q = for i in m {
    let s = sum(b[i:])
    var w: f32[?] = y
    loop k in 0:1 { w = w[1:] }
    for j in n { b[j] + s + size(w) }
  }
  # It does not.
  let r = for i in m {
    var a: int[n] = b
    if n > 0 { a[1:] = 1 }
    var w: f32[?] = y
    loop k in 0:1 { w = w[1:] }
    for j in n { a[j] + size(w) + i }
  }
  let s = for i in m if i > 0 {
    let a = tail(b, i)
    for j in n { a[j] - i }
  }
  let (t, u) = for i in m {
    let a = tail(b, i)
    (for j in n { a[j] > 4 }, for j in n { complex(f32(a[j]), 2.0) })
  }
  let z: int[m, n] = zeros(m, n)
  let v = scatter(z) for i in m if i > 0 {
    let a = tail(b, i)
    (i - 1, for j in n { a[j] + i })
  }
  (p, q, r, s, t, u, v)
}

# CHECK: p: i64[2, 3] {{\[\[}}1, 1, 1], [6, 2, 2]]
# CHECK: q: i64[2, 3] {{\[\[}}24, 25, 26], [19, 20, 21]]
# CHECK: r: i64[2, 3] {{\[\[}}6, 2, 2], [7, 3, 3]]
# CHECK: s: i64[1, 3] {{\[\[}}4, 0, 0]]
# CHECK: t: bool[2, 3] {{\[\[}}false, false, false], [true, false, false]]
# CHECK: v: i64[2, 3] {{\[\[}}6, 2, 2], [0, 0, 0]]
# ONE: q: i64[1, 1] {{\[\[}}10]]
# OUT: rows-behind-slices.arr:[[#@LINE-48]]:5: error: slice 2:1 is not inside of a dimension of size 1
