export def f(a: f32[n]) -> f32 = reduce(fn(x) => x + 1.0, 0.0, a)

#| error[E0352]: this function has 1 parameter, but is called with 2 values
#|  --> reduce-lambda-one.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce(fn(x) => x + 1.0, 0.0, a)
#|   |                                         ^^^^^^^^^^^^^^^^
#| help: write 'fn(x, y) => ..'
