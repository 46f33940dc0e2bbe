export def f(n: int) -> f32 = float(n) * 0.5

#| error[E0200]: 'float' is not declared
#|  --> float-call.arr:1:31
#|   |
#| 1 | export def f(n: int) -> f32 = float(n) * 0.5
#|   |                               ^^^^^
#| help: write 'f32(x)' or 'f64(x)'
