# NaN wins in min and max and loses in fmin and fmax; -0 is less than 0.
# RUN: arrc run %s --check a=nan b=1.0 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check a=1.0 b=nan | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check a=0.0 b=-0.0 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check a=-0.0 b=0.0 | FileCheck %s --check-prefix=R4
# RUN: arrc run %s --check a=inf b=-inf | FileCheck %s --check-prefix=R5
export def f(a: f32, b: f32) -> (lo: f32, hi: f32, flo: f32, fhi: f32, r: f32) =
  (min(a, b), max(a, b), fmin(a, b), fmax(a, b), max([a, b]))

# R1: lo: f32 nan
# R1: hi: f32 nan
# R1: flo: f32 1
# R1: fhi: f32 1
# R1: r: f32 nan
# R2: lo: f32 nan
# R2: hi: f32 nan
# R2: flo: f32 1
# R2: fhi: f32 1
# R2: r: f32 nan
# R3: lo: f32 -0
# R3: hi: f32 0
# R4: lo: f32 -0
# R4: hi: f32 0
# R5: lo: f32 -inf
# R5: hi: f32 inf
# R5: flo: f32 -inf
# R5: fhi: f32 inf
# R5: r: f32 inf
