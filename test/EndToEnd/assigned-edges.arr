# Edges are assigned in front of a step of two stages: the first is computed where
# the second reads it, from a state whose two buffers take turns.
# RUN: arrc run %s --check 'a0=[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]' steps=0 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check 'a0=[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]' steps=1 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check 'a0=[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [0, 1, 0, 3], [4, 8, 2, 9]]' steps=3 | FileCheck %s --check-prefix=R3
export def water(a0: f64[n, m], steps: int) -> f64[n, m] where n >= 3, m >= 3 {
  var a = a0
  loop _ in steps {
    a[:, 0] = -a[:, 1]
    a[:, end-1] = a[:, end-2]
    a[0] = a[1]
    a[end-1] = a[end-2]
    let x = 0.5 * (a[1:, 1:end-1] * a[1:, 1:end-1] - a[:end-1, 1:end-1])
    let y = 0.5 * (a[1:end-1, 1:] - a[1:end-1, :end-1] * a[1:end-1, 1:]) / (1 + x[0, 0] * x[0, 0])
    a[1:end-1, 1:end-1] = a[1:end-1, 1:end-1] - 0.01 * (x[1:] - x[:end-1] + y[:, 1:] - y[:, :end-1])
  }
  a
}

# R1: out: f64[3, 4] {{\[\[}}1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
# R2: out: f64[3, 4] {{\[\[}}-6, 6, 7, 7]
# R3: out: f64[5, 4]
