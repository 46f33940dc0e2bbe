# The histogram of floats between two bounds.
# RUN: arrc run %s --check 'x=[0.0, 0.1, 0.5, 0.99, 1.0, -5.0]' lo=0.0 hi=1.0 bins=4 | FileCheck %s
export def histogram(x: f32[n], lo: f32, hi: f32, bins: int) -> int[bins] =
  hist((+), 0, bins) for i {
    (clamp(int((x[i] - lo) / (hi - lo) * bins), 0, bins - 1), 1)
  }

# CHECK: out: i64[4] [3, 0, 1, 2]
