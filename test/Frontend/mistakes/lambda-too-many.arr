export def f(a: f32[n]) -> f32[n] = sort(a, by = fn(x, y) => x - y)

#| error[E0352]: this function has 2 parameters, but is called with 1 value
#|  --> lambda-too-many.arr:1:50
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = sort(a, by = fn(x, y) => x - y)
#|   |                                                  ^^^^^^^^^^^^^^^^^
#| help: write 'fn(x) => ..'
