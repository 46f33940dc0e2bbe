export def f(a: f32[n, m]) -> f32[n] = max(a, 1)

#| error[E0216]: the result is f32[n], but this is f32[n, m]
#|  --> max-axis-positional.arr:1:40
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n] = max(a, 1)
#|   |                                        ^^^^^^^^^
