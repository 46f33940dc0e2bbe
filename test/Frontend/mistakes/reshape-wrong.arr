export def f(a: f32[6]) -> f32[4, 2] = reshape(a, 4, 2)

#| error[E0272]: 6 elements cannot become 8
#|  --> reshape-wrong.arr:1:40
#|   |
#| 1 | export def f(a: f32[6]) -> f32[4, 2] = reshape(a, 4, 2)
#|   |                                        ^^^^^^^^^^^^^^^^
