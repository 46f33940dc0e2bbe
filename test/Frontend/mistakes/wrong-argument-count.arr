export def f(x: f32) -> f32 = atan2(x)

#| error[E0331]: 'atan2' takes 2, not 1 arguments
#|  --> wrong-argument-count.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = atan2(x)
#|   |                               ^^^^^^^^
