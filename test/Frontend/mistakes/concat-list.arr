export def f(a: f32[n], b: f32[m]) -> f32[n + m] = concat([a, b])

#| error[E0324]: 'concat' needs an axis for more than one dimension
#|  --> concat-list.arr:1:52
#|   |
#| 1 | export def f(a: f32[n], b: f32[m]) -> f32[n + m] = concat([a, b])
#|   |                                                    ^^^^^^^^^^^^^^
#| help: add 'axis = 0'
