export def first(a: f32[n, ?, m]) -> f32[n] = for i in n { a[i, 0, 0] }

#| error[E0267]: only one dimension can be ragged
#|  --> ragged-behind.arr:1:31
#|   |
#| 1 | export def first(a: f32[n, ?, m]) -> f32[n] = for i in n { a[i, 0, 0] }
#|   |                               ^
#| help: rows of different sizes are one '?', with constants behind it; sizes that all rows share are written ('h // 2'), or named where they are not known: 'f32[n, ?k, m]'
