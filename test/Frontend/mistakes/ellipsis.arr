export def f(a: f32[n, m]) -> f32[n] = a[..., 0]

#| error[E0119]: '...' is not an operator here
#|  --> ellipsis.arr:1:42
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n] = a[..., 0]
#|   |                                          ^^^
#| help: a range is written 'lo:hi', as in '0:n'; a dimension that stays whole ':', as in 'a[:, 0]'
