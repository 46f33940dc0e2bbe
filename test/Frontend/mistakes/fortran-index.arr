export def f(a: f32[n]) -> f32 = a(0)

#| error[E0330]: f32[n] cannot be called
#|  --> fortran-index.arr:1:34
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a(0)
#|   |                                  ^
#| help: index an array with brackets
