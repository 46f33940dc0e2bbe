export def f(a: f32[n]) -> f32[n, 1] = a[:, None]

#| error[E0281]: 'a' is read with 2 subscripts, but its rank is 1
#|  --> newaxis.arr:1:45
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n, 1] = a[:, None]
#|   |                                             ^^^^
#| help: its type is f32[n]; one more dimension is made by a 'for'
