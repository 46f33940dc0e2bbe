export def f(a: f32[n, m]) -> f32 = a[0]

#| error[E0216]: the result is f32, but this is f32[m]
#|  --> row-instead-of-element.arr:1:37
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32 = a[0]
#|   |                                     ^^^^
