export def f(x: f32) -> f32 = x[0]

#| error[E0280]: 'x' is f32 and has no elements
#|  --> scalar-indexed.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = x[0]
#|   |                               ^
#| help: an array is declared with its sizes: 'f32[n]'
