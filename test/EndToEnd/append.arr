# An array that begins empty and grows by an element in some steps.
# RUN: arrc run %s --check n=7 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check n=0 | FileCheck %s --check-prefix=R2
export def thirds(n: int) -> (out: int[?], real: f64[?]) {
  var out: int[?] = []
  var real: f64[?] = []
  loop i in n {
    if i % 3 == 0 { out = concat(out, [i]) }
    real = concat(real, [0.5 * i])
  }
  (out, real)
}

# R1: out: i64[3] [0, 3, 6]
# R1: real: f64[7] [0, 0.5, 1, 1.5, 2, 2.5, 3]
# R2: out: i64[0] []
# R2: real: f64[0] []
