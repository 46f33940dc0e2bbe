# A slice whose bounds are checked is empty where they do not hold: what is made of
# it in a body needs memory on a device for what its size is where they do.
# REQUIRES: cuda-emulator
# RUN: %emulate arrc run %s --target=cuda --check p=[1,2,4,7,11] w=2 m=3 2>&1 | FileCheck %s
# RUN: %emulate arrc run %s --target=cuda --check p=[1,2,4,7,11] w=5 m=1 2>&1 | FileCheck %s --check-prefix=WHOLE
# RUN: %emulate not arrc run %s --target=cuda p=[1,2,4,7,11] w=4 m=3 2>&1 | FileCheck %s --check-prefix=OUT
# RUN: arrc check %s --target=cuda
# CHECK: check: ok
# CHECK: out: f64[3, 2] {{\[}}[0, 1], [0, 4], [0, 9]]
# WHOLE: check: ok
# OUT: :[[@LINE+3]]:17: error: slice 2:6 is not inside of a dimension of size 5
export def g(p: f64[n], m: int, w: int) -> f64[m, w] where w >= 2, m >= 0 {
  for t in m {
    let win = p[t:t+w]
    let x = for s in w { win[s] - win[0] }
    for s in w { sum for q in w { x[q] * x[s] } }
  }
}
