export def f(a: f32[n, m]) -> f32 = a[0][0] + a[0](0)

#| error[E0330]: f32[m] cannot be called
#|  --> c-index.arr:1:47
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32 = a[0][0] + a[0](0)
#|   |                                               ^^^^
#| help: index an array with brackets
