export def f(k: int[n]) -> f32[n] = k

#| error[E0216]: the result is f32[n], but this is int[n]
#|  --> int-arrays-into-float.arr:1:37
#|   |
#| 1 | export def f(k: int[n]) -> f32[n] = k
#|   |                                     ^
#| help: arrays convert by a call: 'f32(..)'
