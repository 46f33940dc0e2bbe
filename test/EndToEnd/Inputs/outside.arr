# Accesses outside of arrays that nothing but `--sanitize` sees.
@unsafe export def read(a: f32[n], k: int) -> f32[n] = for i in n { 2.0 * a[i + k] }
@unsafe export def element(a: int[n], k: int) -> int = a[k]
@unsafe export def gathered(a: f32[n], at: int[m]) -> f32[m] = for i in m { a[at[i]] + 1.0 }
@unsafe export def column(a: f32[n, m], k: int) -> f32[n] = for i in n { a[i, k] * 3.0 }
@unsafe export def fold(a: f32[n], k: int) -> f32 = sum for i in n { a[i + k] * a[i] }
@unsafe export def backward(a: f32[n], k: int) -> f32[n] = for i in n { a[n - i - k] }
@unsafe export def flags(a: bool[n], k: int) -> bool[n] = for i in n { not a[i + k] }
@unsafe export def points(a: f32[n, 3], k: int) -> f32[n] = for i in n { a[i + k, 0] + a[i + k, 1] + a[i + k, 2] }
