export def f(a: f32[n, m]) -> f32 = sum(a)

#! run run-number-for-array.arr a=5
#| error: 'a' is declared 'f32[n, m]', but '5' is an integer, not an array with 2 dimensions
