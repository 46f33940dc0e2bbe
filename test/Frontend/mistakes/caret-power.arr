export def f(x: f32) -> f32 = x^2

#| error[E0119]: '^' is not an operator here
#|  --> caret-power.arr:1:32
#|   |
#| 1 | export def f(x: f32) -> f32 = x^2
#|   |                                ^
#| help: write 'x ** y' for a power, 'bitxor(x, y)' for bits
