export def f(x: f32) -> f32 = sum(zeros(x))

#| error[E0260]: a size is an int, not f32
#|  --> float-size.arr:1:41
#|   |
#| 1 | export def f(x: f32) -> f32 = sum(zeros(x))
#|   |                                         ^
#| help: convert it: 'int(x)'
