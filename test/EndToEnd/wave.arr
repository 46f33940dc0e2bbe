# A slice of a var assigned from a for over the same range.
# RUN: arrc run %s --check 'u=[0.0, 1.0, 4.0, 1.0]' 'c=[1.0, 0.5, 0.25, 1.0]' | FileCheck %s --check-prefix=R1
# RUN: %exit_code 2 arrc run %s --check 'u=[1.0, 2.0]' 'c=[1.0, 1.0]' 2>&1 | FileCheck %s --check-prefix=R2
export def wave(u: f32[n], c: f32[n]) -> f32[n] where n >= 3 {
  var v = u
  v[1:n-1] = for i in 1:n-1 { u[i] + c[i] * (u[i-1] - 2.0*u[i] + u[i+1]) }
  v
}

# R1: out: f32[4] [0, 2, 2.5, 1]
# R2: error
