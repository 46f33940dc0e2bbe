export def f(a: f32[n]) -> f32 = reduce(fn(x, y) => x + y, a)

#| error[E0332]: 'reduce' is called without 'e'
#|  --> reduce-lambda-without-neutral.arr:1:34
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce(fn(x, y) => x + y, a)
#|   |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the neutral element of 'fn(x, y) => x + y' is missing
#| help: it stands before the array: 'reduce(fn(x, y) => x + y, 0.0, a)'
