export def f(a: f32[n]) -> f32[n] = (a > 0.0) * a

#| error[E0218]: '*': bool[n] and f32[n] do not meet
#|  --> bool-times.arr:1:47
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = (a > 0.0) * a
#|   |                                               ^
#| help: convert the bool, as in 'f32(b)', or compare the number
