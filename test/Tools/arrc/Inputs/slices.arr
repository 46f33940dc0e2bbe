# Sums over rows that another array tells
export def sums(v: f32[k], off: i64[m]) -> f32[m] = for i in m {
  if i + 1 < m { sum(v[off[i] : off[i + 1]]) } else { 0.0 }
}
