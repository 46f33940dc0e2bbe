# Loops by elements whose steps check an index: one kernel, which ends with the first error.
# RUN: arrc run %s --check --entry tally a=[0,1,1,2] m=3 | FileCheck %s --check-prefix=COUNT
# RUN: not arrc run %s --entry tally a=[0,1,5,-1] m=3 2>&1 | FileCheck %s --check-prefix=OUTSIDE
# RUN: not arrc run %s --entry tally a=[0,0] m=0 2>&1 | FileCheck %s --check-prefix=EMPTY
# RUN: arrc run %s --check --entry follow next=[2,0,1] steps=5 | FileCheck %s --check-prefix=FOLLOW
# RUN: not arrc run %s --entry follow next=[1,2,9,4] steps=5 2>&1 | FileCheck %s --check-prefix=LOST
# RUN: arrc run %s --check --entry follow next=[1,2,9] steps=2 | FileCheck %s --check-prefix=INTIME
# RUN: arrc run %s --check --entry walk next=[1,2,2] a=[1.0,2.0,3.0] | FileCheck %s --check-prefix=WALK
# RUN: not arrc run %s --entry walk next=[1,7,2] a=[1.0,2.0,3.0] 2>&1 | FileCheck %s --check-prefix=ASTRAY
# RUN: arrc run %s --check --entry guarded a=[1.0,2.0,3.0,4.0] k=[1,-1,0] | FileCheck %s --check-prefix=GUARDED
# RUN: not arrc run %s --entry guarded a=[1.0,2.0,3.0,4.0] k=[1,2,9] 2>&1 | FileCheck %s --check-prefix=INNER
# RUN: not arrc run %s --entry guarded a=[1.0,2.0,3.0,4.0] k=[9,2] 2>&1 | FileCheck %s --check-prefix=OUTER
# RUN: arrc run %s --check --entry primes n=30 | FileCheck %s --check-prefix=PRIMES
# RUN: arrc run %s --check --entry primes n=2 | FileCheck %s --check-prefix=NONE

# COUNT: c: i64[3] [1, 2, 1]
# OUTSIDE: error: index 5 is outside of a dimension of size 3
# EMPTY: error: index 0 is outside of a dimension of size 0
# FOLLOW: at: i64 1
# FOLLOW: seen: i64[3] [4, 3, 5]
# LOST: error: index 9 is outside of a dimension of size 4
# INTIME: at: i64 2
# INTIME: seen: i64[3] [1, 2, 0]
# WALK: s: f64 3
# ASTRAY: error: index 7 is outside of a dimension of size 3
# GUARDED: x: f64[4] [14, 10, 3, 4]
# INNER: error: index 4 is outside of a dimension of size 4
# OUTER: error: index 9 is outside of a dimension of size 4
# PRIMES: p: bool[30] [false, false, true, true, false, true, false, true, false, false, false, true, false, true, false, false, false, true, false, true, false, false, false, true, false, false, false, false, false, true]
# NONE: p: bool[2] [false, false]

export def tally(a: int[n], m: int) -> (c: int[m]) {
  var c: int[m] = zeros(m)
  loop i in n { c[a[i]] += 1 }
  c
}
export def follow(next: int[n], steps: int) -> (at: int, seen: int[n]) where n >= 1 {
  var at = 0
  var seen: int[n] = zeros(n)
  loop t in steps {
    seen[at] = t + 1
    at = next[at]
  }
  (at, seen)
}
export def walk(next: int[n], a: f64[n]) -> (s: f64) {
  var s: f64 = 0.0
  var at = 0
  while next[at] != at {
    s += a[at]
    at = next[at]
  }
  s
}
export def guarded(a: f64[n], k: int[m]) -> (x: f64[n]) {
  var x = a
  loop t in m {
    if k[t] >= 0 {
      x[k[t]] = 1.0
      loop j in 3 { x[k[t]] = x[k[t]] + a[k[t] + j] }
    }
    x[0] = 2.0 * x[0]
  }
  x
}
export def primes(n: int) -> (p: bool[n]) where n >= 2 {
  var p: bool[n] = full(true, n)
  p[0] = false
  p[1] = false
  loop i in 2:n {
    if p[i] {
      var j = i * i
      while j < n {
        p[j] = false
        j += i
      }
    }
  }
  p
}
