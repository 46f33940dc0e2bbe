export def f(a: f32[n, n], b: f32[n]) -> f32[n] = inv(a) @ b

#| error[E0200]: 'inv' is not declared
#|  --> inverse.arr:1:51
#|   |
#| 1 | export def f(a: f32[n, n], b: f32[n]) -> f32[n] = inv(a) @ b
#|   |                                                   ^^^
#| help: there are no solvers: '@' is the product, an elimination is a 'loop' over the columns
