# Histograms: counts, sums, maxima, pairs as bins, an index outside.
# RUN: arrc run %s --check --entry f 'x=[0, 5, 2, 5, -1, 9]' | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry g 'x=[0, 1, 2, 3]' 'y=[5, 6, 7, 8]' | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry f 'x=[]' | FileCheck %s --check-prefix=R3
# RUN: %exit_code 3 arrc run %s --check --entry strict 'x=[0, 4]' 2>&1 | FileCheck %s --check-prefix=R4
export def f(x: int[n]) -> (c: int[4], d: int[4], e: int[4]) =
  (hist((+), 0, 4) for i { (x[i] % 4, 1) },
   hist((+), 0, 4, oob = drop) for i { (x[i], 1) },
   hist((+), 0, 4, oob = clamp) for i { (x[i], 1) })
export def g(x: int[n], y: int[n]) -> (m: int[3], p: i32[2, 2]) =
  (hist(max, 0, 3) for i { (x[i] % 3, y[i]) }, hist((+), 0, (2, 2)) for i { ((x[i] % 2, y[i] % 2), 1) })
export def strict(x: int[n]) -> int[4] = hist((+), 0, 4) for i { (x[i], 1) }

# R1: c: i64[4] [1, 3, 1, 1]
# R1: d: i64[4] [1, 0, 1, 0]
# R1: e: i64[4] [2, 0, 1, 3]
# R2: m: i64[3] [8, 6, 7]
# R2: p: i32[2, 2] {{\[\[}}0, 2], [2, 0]]
# R3: c: i64[4] [0, 0, 0, 0]
# R4: hist.arr:
