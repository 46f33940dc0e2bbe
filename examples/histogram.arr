# Counts of equal-width bins; values outside go to the first and the last
export def histogram(x: f32[n], lo: f32, hi: f32, bins: int) -> int[bins] =
  hist((+), 0, bins) for i {
    (clamp(int((x[i] - lo) / (hi - lo) * bins), 0, bins - 1), 1)
  }
