export def f(x: f32) -> f32 = sqr(x)

#| error[E0200]: 'sqr' is not declared
#|  --> misspelt-function.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = sqr(x)
#|   |                               ^^^
#| help: did you mean 'sqrt'?
