export def f(x: f32) -> bool = x > 0.0 && x < 1.0

#| error[E0119]: '&&' is not an operator here
#|  --> and-and.arr:1:40
#|   |
#| 1 | export def f(x: f32) -> bool = x > 0.0 && x < 1.0
#|   |                                        ^^
#| help: write 'and'
