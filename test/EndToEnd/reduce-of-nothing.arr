# What reductions of nothing give; argmin is an error.
# RUN: arrc run %s --check --entry ints 'a=[]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry floats 'a=[]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry bools 'a=[]' | FileCheck %s --check-prefix=R3
# RUN: %exit_code 3 arrc run %s --check --entry where_least 'a=[]' 2>&1 | FileCheck %s --check-prefix=R4
export def ints(a: int[n]) -> (s: int, p: int, lo: int, hi: int) = (sum(a), prod(a), min(a), max(a))
export def floats(a: f32[n]) -> (s: f32, p: f32, lo: f32, hi: f32, m: f32) = (sum(a), prod(a), min(a), max(a), mean(a))
export def bools(a: bool[n]) -> (x: bool, y: bool, c: int) = (any(a), all(a), count(a))
export def where_least(a: f32[n]) -> int = argmin(a)

# R1: s: i64 0
# R1: p: i64 1
# R1: lo: i64 9223372036854775807
# R1: hi: i64 -9223372036854775808
# R2: s: f32 0
# R2: p: f32 1
# R2: lo: f32 inf
# R2: hi: f32 -inf
# R2: m: f32 nan
# R3: x: bool false
# R3: y: bool true
# R3: c: i64 0
# R4: reduce-of-nothing.arr:
