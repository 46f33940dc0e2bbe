export def f(a: double[n]) -> double = sum(a)

#| error[E0210]: there is no type 'double'
#|  --> double-type.arr:1:17
#|   |
#| 1 | export def f(a: double[n]) -> double = sum(a)
#|   |                 ^^^^^^
#| help: write 'f64'
#| error[E0210]: there is no type 'double'
#|  --> double-type.arr:1:31
#|   |
#| 1 | export def f(a: double[n]) -> double = sum(a)
#|   |                               ^^^^^^
#| help: write 'f64'
