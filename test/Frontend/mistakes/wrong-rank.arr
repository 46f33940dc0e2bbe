export def f(a: f32[n, m]) -> f32[n] = a

#| error[E0216]: the result is f32[n], but this is f32[n, m]
#|  --> wrong-rank.arr:1:40
#|   |
#| 1 | export def f(a: f32[n, m]) -> f32[n] = a
#|   |                                        ^
