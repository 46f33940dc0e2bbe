export def f(a: f32[n, m]) -> f32[n] = sum(a, axis = -1)

#| error[E0322]: this is no axis of an array of 2 dimensions
#|  --> axis-minus-one.arr:1:54
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n] = sum(a, axis = -1)
#|   |                                                      ^^
#| help: an axis is a constant from 0 to 1
