export def f(n: int) -> f32 = (float) n

#| error[E0107]: expected the end of the line, found 'n'
#|  --> c-cast.arr:1:39
#|   |
#| 1 | export def f(n: int) -> f32 = (float) n
#|   |                                       ^
#| help: a conversion is a call of the type: 'f32(n)'
