def twice(g: fn(f32, f32) -> f32, x: f32) -> f32 = g(g(x, x), x)
export def f(x: f32) -> f32 = twice(fn(a) => a * 2.0, x)

#| error[E0352]: this function has 1 parameter, but is called with 2 values
#|  --> lambda-too-few.arr:2:37
#|   |
#| 2 | export def f(x: f32) -> f32 = twice(fn(a) => a * 2.0, x)
#|   |                                     ^^^^^^^^^^^^^^^^
#| help: write 'fn(a, y) => ..'
