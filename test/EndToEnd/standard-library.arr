# The standard library, found without a folder; std.test compares it with NumPy.
# RUN: arrc run %s --check --entry made n=3 | FileCheck %s --check-prefix=R1
# RUN: arrc run %s --check --entry made n=0 | FileCheck %s --check-prefix=NONE
# RUN: arrc run %s --check --entry described 'x=[1, 2, 4, 3, 10]' q=0.25 | FileCheck %s --check-prefix=R2
# RUN: arrc run %s --check --entry described 'x=[3, nan]' q=0.5 | FileCheck %s --check-prefix=NAN
# RUN: arrc run %s --check --entry between 'at=[-1, 0, 0.5, 1.5, 2, 9]' | FileCheck %s --check-prefix=R3
# RUN: arrc run %s --check --entry transformed 'x=[1, 2, 3, 4]' 'y=[1, 0, 0]' | FileCheck %s --check-prefix=R4
# RUN: %exit_code 3 arrc run %s --entry described 'x=[1]' q=1.5 2>&1 | FileCheck %s --check-prefix=WRONG
# RUN: %exit_code 3 arrc run %s --entry bins 'x=[1]' k=0 2>&1 | FileCheck %s --check-prefix=BINS
# RUN: arrc run %s --check --entry bins 'x=[0, 0.1, 0.5, 1, 1.5, nan]' k=2 | FileCheck %s --check-prefix=R5
# RUN: arrc run %s --check --entry each 'x=[[1, 2, 6], [3, 3, 3]]' | FileCheck %s --check-prefix=R6
import "std/arrays.arr"
import "std/statistics.arr" as stats
import "std/interpolation.arr" as interpolation
import "std/fft.arr" as fourier
export def made(n: int) -> (e: f32[n, n], o: int[2, 2], l: f32[n], d: int[2]) where n >= 0 =
  (arrays.eye(n), arrays.outer([1, 2], [3, 4]), arrays.linspace(0, 1, n), arrays.diff([1, 4, 9]))
export def described(x: f32[n], q: f32) -> (m: f32, v: f32, s: f32, med: f32, quant: f32) where n >= 1 =
  (stats.mean(x), stats.variance(x), stats.std(x), stats.median(x), stats.quantile(x, q))
export def between(at: f32[k]) -> (l: f32[k], n: f32[k]) {
  let x: f32[3] = [0.0, 1.0, 3.0]
  let y: f32[3] = [1.0, 2.0, 0.0]
  (interpolation.linear(at, x, y), interpolation.nearest(at, x, y))
}
export def transformed(x: f32[n], y: f32[m]) -> (re: int[n], im: int[n], flat: int[m]) where n >= 1, m >= 1 {
  let z = fourier.fft_real(x)
  (int(round(re(z))), int(round(im(z))), int(round(re(fourier.fft_real(y)))))
}
export def bins(x: f32[n], k: int) -> (h: int[k]) where k >= 0 = stats.histogram(x, 0, 1, k)
# Functions of whole arrays, for each row.
export def each(x: f32[n, m]) -> (mean: f32[n], std: f32[n], median: f32[n], top: int[n, 2]) where m >= 1 =
  (for i { stats.mean(x[i]) }, for i { stats.std(x[i]) }, for i { stats.median(x[i]) },
    for i { stats.histogram(x[i], 0, 8, 2) })

# R1: e: f32[3, 3] {{\[\[}}1, 0, 0], [0, 1, 0], [0, 0, 1]]
# R1: o: i64[2, 2] {{\[\[}}3, 4], [6, 8]]
# R1: l: f32[3] [0, 0.5, 1]
# R1: d: i64[2] [3, 5]
# NONE: e: f32[0, 0] []
# NONE: l: f32[0] []
# R2: m: f32 4
# R2: v: f32 10
# R2: s: f32 3.16
# R2: med: f32 3
# R2: quant: f32 2
# NAN: m: f32 nan
# NAN: med: f32 nan
# NAN: quant: f32 nan
# R3: l: f32[6] [1, 1, 1.5, 1.5, 1, 0]
# R3: n: f32[6] [1, 1, 1, 2, 2, 0]
# R4: re: i64[4] [10, -2, -2, -2]
# R4: im: i64[4] [0, 2, 0, -2]
# R4: flat: i64[3] [1, 1, 1]
# R5: h: i64[2] [2, 2]
# R6: mean: f32[2] [3, 3]
# R6: std: f32[2] [2.16
# R6: median: f32[2] [2, 3]
# R6: top: i64[2, 2] {{\[\[}}2, 1], [3, 0]]
# WRONG: arrc:std/statistics.arr:{{[0-9]+}}:{{[0-9]+}}: error: a fraction is from 0 to 1
# BINS: arrc:std/statistics.arr:{{[0-9]+}}:{{[0-9]+}}: error: a histogram needs a bin
