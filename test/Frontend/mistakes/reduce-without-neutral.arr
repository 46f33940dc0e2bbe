export def f(a: f32[n]) -> f32 = reduce((+), a)

#| error[E0332]: 'reduce' is called without 'e'
#|  --> reduce-without-neutral.arr:1:34
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce((+), a)
#|   |                                  ^^^^^^^^^^^^^^ the neutral element of '(+)' is missing
#| help: it stands before the array: 'reduce((+), 0.0, a)'
