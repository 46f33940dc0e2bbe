export def f(x: f32[n, m]) -> f32[n] = sum(x, 1)

#| error[E0331]: 'sum' takes 1, not 2 arguments
#|  --> sum-axis-positional.arr:1:47
#|   |
#| 1 | export def f(x: f32[n, m]) -> f32[n] = sum(x, 1)
#|   |                                               ^
#| help: an axis is named: 'sum(x, axis = 1)'
