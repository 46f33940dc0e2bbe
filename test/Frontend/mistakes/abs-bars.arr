export def f(x: f32) -> f32 = |x|

#| error[E0119]: '|' is not an operator here
#|  --> abs-bars.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = |x|
#|   |                               ^^^
#| help: write 'abs(x)'
