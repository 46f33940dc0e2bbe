export def f(a: f32[n, m]) -> f32[n] = sum(a, dim = 1)

#| error[E0334]: 'sum' has no parameter 'dim'
#|  --> axis-keyword-dim.arr:1:47
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n] = sum(a, dim = 1)
#|   |                                               ^^^
#| help: write 'axis = 1'
