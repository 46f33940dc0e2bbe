export def f(x: f64) -> f32 = x * 2.0

#| error[E0216]: the result is f32, but this is f64
#|  --> f64-into-f32.arr:1:31
#|   |
#| 1 | export def f(x: f64) -> f32 = x * 2.0
#|   |                               ^^^^^^^
#| help: write the conversion: 'f32(..)'
