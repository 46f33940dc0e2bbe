# What is not supported yet is refused at its place, each in its own words.
# RUN: split-file %s %t
# RUN: cd %t && not arrc build ragged.arr --emit=array 2>&1 | FileCheck %s --check-prefix=RAGGED
# RUN: cd %t && not arrc build extern.arr --emit=array 2>&1 | FileCheck %s --check-prefix=EXTERN

# RAGGED: error[E0501]: rows of different sizes cannot be used in this way yet
# EXTERN: error[E0504]: calling the extern function 'c' is not supported yet

#--- ragged.arr
export def f(n: int) -> int {
  let r: int[n, ?] = for i in n { for j in i { j } }
  var t = (r, 1)
  t.1 = 3
  sum(t.0) + t.1
}

#--- extern.arr
extern def c(a: f32[n]) -> f32[n]
export def f(a: f32[n]) -> f32[n] = c(a)
