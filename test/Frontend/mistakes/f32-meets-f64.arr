export def f(a: f32[n], b: f64[n]) -> f64[n] = a + b

#| error[E0218]: '+': f32[n] and f64[n] do not meet
#|  --> f32-meets-f64.arr:1:50
#|   |
#| 1 | export def f(a: f32[n], b: f64[n]) -> f64[n] = a + b
#|   |                                                  ^
#| help: two float types never mix: convert one side, as in 'f32(..)'
