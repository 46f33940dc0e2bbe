export def pool(x: f32[n, h, w]) -> f32[n, ?, ?] =
  for i in n, y in h // 2, z in w // 2 { max for a in 2, b in 2 { x[i, 2 * y + a, 2 * z + b] } }

#| error[E0267]: only one dimension can be ragged
#|  --> two-unknown-sizes.arr:1:47
#|   |
#| 1 | export def pool(x: f32[n, h, w]) -> f32[n, ?, ?] =
#|   |                                               ^
#| help: rows of different sizes are one '?', with constants behind it; sizes that all rows share are written ('h // 2'), or named where they are not known: 'f32[n, ?k, ?l]'
