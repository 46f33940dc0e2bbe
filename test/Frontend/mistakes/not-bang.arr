export def f(x: f32) -> bool = !(x > 0.0)

#| error[E0119]: '!' is not an operator here
#|  --> not-bang.arr:1:32
#|   |
#| 1 | export def f(x: f32) -> bool = !(x > 0.0)
#|   |                                ^
#| help: write 'not'
