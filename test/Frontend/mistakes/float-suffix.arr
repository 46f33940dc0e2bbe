export def f(x: f32) -> f32 = 2.0f * x

#| error[E0026]: a number has no suffix
#|  --> float-suffix.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = 2.0f * x
#|   |                               ^^^^
#| help: a literal takes the type that it meets; 'f64(0.1)' converts
