export def f(a: f32[n]) -> f32[n + 1] = concat(a, 0.0)

#| error[E0340]: 'concat' needs an array, not a float literal
#|  --> concat-number.arr:1:51
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n + 1] = concat(a, 0.0)
#|   |                                                   ^^^
#| help: an array of one element is written '[x]'
