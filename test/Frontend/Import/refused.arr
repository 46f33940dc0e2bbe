# What is not supported yet is refused at its place, each in its own words.
# RUN: split-file %s %t
# RUN: cd %t && not arrc build ragged.arr --emit=array 2>&1 | FileCheck %s --check-prefix=RAGGED
# RUN: cd %t && not arrc build extern.arr --emit=array 2>&1 | FileCheck %s --check-prefix=EXTERN
# RUN: cd %t && not arrc build operator.arr --emit=array 2>&1 | FileCheck %s --check-prefix=OPERATOR
# RUN: cd %t && not arrc build histogram.arr --emit=array 2>&1 | FileCheck %s --check-prefix=HISTOGRAM

# RAGGED: error[E0501]: rows of different sizes are not supported yet
# EXTERN: error[E0504]: calling the extern function 'c' is not supported yet
# OPERATOR: error[E0506]: an operator of one's own on rows is not supported yet
# HISTOGRAM: error[E0507]: a histogram of rows is not supported yet

#--- ragged.arr
def rows(n: int) -> int[n, ?] = for i in n { for j in i { j } }
export def f(n: int) -> int = sum(rows(n))

#--- extern.arr
extern def c(a: f32[n]) -> f32[n]
export def f(a: f32[n]) -> f32[n] = c(a)

#--- operator.arr
export def f(a: f32[n, 100]) -> f32[100] =
  reduce(fn(x, y) => x + y - x * y, zeros(100)) for i { a[i] }

#--- histogram.arr
export def f(a: f32[n, m], k: int[n]) -> f32[4, m] =
  hist((+), zeros(m), 4) for i { (k[i], a[i]) }
