export def f(a: f32[n]) -> f32 = reduce(lambda x, y: x + y, 0.0, a)

#| error[E0138]: this is a function of Python
#|  --> lambda.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce(lambda x, y: x + y, 0.0, a)
#|   |                                         ^^^^^^
#| help: write 'fn(x, y) => x + y'
