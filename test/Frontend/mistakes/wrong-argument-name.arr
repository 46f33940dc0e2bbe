def g(x: f32, scale: f32) -> f32 = x * scale
export def f(x: f32) -> f32 = g(x, factor = 2.0)

#| error[E0334]: 'g' has no parameter 'factor'
#|  --> wrong-argument-name.arr:2:36
#|   |
#| 1 | def g(x: f32, scale: f32) -> f32 = x * scale
#|   |     - declared here
#| 2 | export def f(x: f32) -> f32 = g(x, factor = 2.0)
#|   |                                    ^^^^^^
#| help: its parameters are 'x', 'scale'
