export def f(n: int) -> f32 = n as f32

#| error[E0107]: expected the end of the line, found 'as'
#|  --> as-cast.arr:1:33
#|   |
#| 1 | export def f(n: int) -> f32 = n as f32
#|   |                                 ^^
#| help: a conversion is a call of the type: 'f32(..)'
