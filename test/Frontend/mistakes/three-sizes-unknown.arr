export def f(a: f32[?, ?, m]) -> f32 = sum(a)

#| error[E0267]: only one dimension can be ragged
#|  --> three-sizes-unknown.arr:1:27
#|   |
#| 1 | export def f(a: f32[?, ?, m]) -> f32 = sum(a)
#|   |                           ^
#| help: rows of different sizes are one '?', with constants behind it; sizes that all rows share are written ('h // 2'), or named where they are not known: 'f32[?, ?k, m]'
