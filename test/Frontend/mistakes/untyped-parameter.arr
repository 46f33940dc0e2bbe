export def f(a, n: int) -> f32 = 0.0

#| error[E0100]: expected ':' and the type of 'a', found ','
#|  --> untyped-parameter.arr:1:15
#|   |
#| 1 | export def f(a, n: int) -> f32 = 0.0
#|   |               ^
#| help: write 'a: f32', or 'a: f32[n]' for an array
