export def f(a: f32[n], b: f32[n]) -> f32[n] = a .+ b

#| error[E0138]: this is an operator of Julia, '.+'
#|  --> dot-plus.arr:1:51
#|   |
#| 1 | export def f(a: f32[n], b: f32[n]) -> f32[n] = a .+ b
#|   |                                                   ^
#| help: operators work on arrays element by element: write 'a + b'
