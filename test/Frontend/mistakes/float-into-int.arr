export def f(x: f32) -> int = x * 2.0

#| error[E0216]: the result is int, but this is f32
#|  --> float-into-int.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> int = x * 2.0
#|   |                               ^^^^^^^
#| help: write the conversion: 'int(..)'
