export def f(a: f32[n]) -> f32[m] = a

#| error[E0200]: 'm' is not declared
#|  --> undeclared-size.arr:1:32
#|   |
#| 1 | export def f(a: f32[n]) -> f32[m] = a
#|   |                                ^
