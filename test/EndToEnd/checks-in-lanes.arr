# Checks that lanes ask side by side: the error of the lowest index is reported, with its values.
# RUN: not arrc run %s --entry gathered n=1003 first=1002 second=38 2>&1 | FileCheck %s --check-prefix=LOW
# RUN: not arrc run %s --entry gathered n=1003 first=37 second=38 2>&1 | FileCheck %s --check-prefix=NEXT
# RUN: not arrc run %s --entry gathered n=60000 first=41000 second=20000 2>&1 | FileCheck %s --check-prefix=FAR
# RUN: not arrc run %s --entry gathered n=3 first=2 second=2 2>&1 | FileCheck %s --check-prefix=LAST
# RUN: arrc run %s --entry gathered n=1003 first=-1 second=-1 --check 2>&1 | FileCheck %s
# RUN: not arrc run %s --entry uneven n=777 at=701 2>&1 | FileCheck %s --check-prefix=UNEVEN
# RUN: arrc run %s --entry uneven n=777 at=-1 --check 2>&1 | FileCheck %s
# CHECK: check: ok
# LOW: error: index 1041 is outside of a dimension of size 1003
# NEXT: error: index 1040 is outside of a dimension of size 1003
# FAR: error: index 80000 is outside of a dimension of size 60000
# LAST: error: index 5 is outside of a dimension of size 3
# UNEVEN: error: this root does not end
export def gathered(n: int, first: int, second: int) -> f32[n] {
  let a = for i in n { 0.5 * f32(i) }
  let at = for i in n { if i == first or i == second { i + n } else { (i * 7) % n } }
  let w = for i in n { f32(i % 5) }
  for i in n { a[at[i]] * w[i] + w[i] * f32(at[i]) }
}
export def uneven(n: int, at: int) -> f32[n] {
  let a = for i in n { if i == at { -1.0 } else { f32(i) } }
  for i in n {
    var x = 1.0 + a[i]
    var k = 0
    while abs(x * x - a[i]) > 1e-4 * (1.0 + a[i]) {
      x = 0.5 * (x + a[i] / x)
      k += 1
      assert k < 100, "this root does not end"
      if k == 100 { x = sqrt(-a[i]) }
    }
    x
  }
}
