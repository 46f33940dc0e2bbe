# Comparisons with NaN, of integers, of bools.
# RUN: arrc run %s --check --entry f a=nan b=1.0 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry f a=1.0 b=2.0 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry f a=0.0 b=-0.0 | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry g p=true q=false | FileCheck %s --check-prefix=R4
export def f(a: f32, b: f32) -> (eq: bool, ne: bool, lt: bool, le: bool, gt: bool, ge: bool) = (a == b, a != b, a < b, a <= b, a > b, a >= b)
export def g(p: bool, q: bool) -> (x: bool, y: bool, z: bool, w: bool) = (p == q, p and q, p or q, not p)

# R1: eq: bool false
# R1: ne: bool true
# R1: lt: bool false
# R1: le: bool false
# R1: gt: bool false
# R1: ge: bool false
# R2: eq: bool false
# R2: ne: bool true
# R2: lt: bool true
# R2: le: bool true
# R2: gt: bool false
# R2: ge: bool false
# R3: eq: bool true
# R4: x: bool false
# R4: y: bool false
# R4: z: bool true
# R4: w: bool false
