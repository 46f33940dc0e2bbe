export def f(n: int) -> f64 = double(n) * 0.5

#| error[E0200]: 'double' is not declared
#|  --> double-call.arr:1:31
#|   |
#| 1 | export def f(n: int) -> f64 = double(n) * 0.5
#|   |                               ^^^^^^
#| help: write 'f64(x)'
