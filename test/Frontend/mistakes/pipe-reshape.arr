export def f(x: f32[k], n: int, m: int) -> f32[n, m] where n * m == k = x |> reshape(n, m)

#| error[E0340]: 'reshape' needs an array, not int
#|  --> pipe-reshape.arr:1:86
#|   |
#| 1 | export def f(x: f32[k], n: int, m: int) -> f32[n, m] where n * m == k = x |> reshape(n, m)
#|   |                                                                                      ^
#| help: '|>' gives its value as the last argument: write 'reshape(x, n, m)'
