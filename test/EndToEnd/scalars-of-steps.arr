# Scalars that each step of a loop adds to by a fold: the device keeps them.
# RUN: arrc run %s --check --entry least a=[5,2,9,4] steps=3 | FileCheck %s --check-prefix=LEAST
# RUN: arrc run %s --check --entry least a=[5,2,9,4] steps=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry both a=[1.0,2.0,3.0] steps=4 | FileCheck %s --check-prefix=BOTH
# RUN: arrc run %s --check --entry both a=[1.0] steps=-1 | FileCheck %s --check-prefix=BEFORE

# LEAST: c: i64 8
# NONE: c: i64 0
# BOTH: s: f64 24
# BOTH: m: f64 3
# BEFORE: s: f64 0
# BEFORE: m: f64 0

export def least(a: int[n], steps: int) -> (c: int) {
  var c = 0
  loop t in steps { c += min for x in a if x > t { x } }
  c
}
export def both(a: f64[n], steps: int) -> (s: f64, m: f64) {
  var s: f64 = 0.0
  var m: f64 = 0.0
  loop t in steps {
    s += sum(a)
    if t > 1 { m = max(m, s / 8.0) }
  }
  (s, m)
}
