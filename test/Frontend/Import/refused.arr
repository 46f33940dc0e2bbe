# What is not supported yet is refused at its place, each in its own words.
# RUN: split-file %s %t
# RUN: cd %t && not arrc build ragged.arr --emit=array 2>&1 | FileCheck %s --check-prefix=RAGGED

# RAGGED: error[E0501]: rows of different sizes cannot be used in this way yet

#--- ragged.arr
export def f(n: int) -> int {
  let r: int[n, ?] = for i in n { for j in i { j } }
  var t = (r, 1)
  t.1 = 3
  sum(t.0) + t.1
}
