export def f(a: f32[n]) -> f32 = reduce(|x, y| x + y, 0.0, a)

#| error[E0119]: '|' is not an operator here
#|  --> rust-closure.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce(|x, y| x + y, 0.0, a)
#|   |                                         ^^^^^^
#| help: a function is written 'fn(x, y) => ..'
