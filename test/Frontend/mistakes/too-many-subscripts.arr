export def f(a: f32[n]) -> f32 = a[0, 0]

#| error[E0281]: 'a' is read with 2 subscripts, but its rank is 1
#|  --> too-many-subscripts.arr:1:39
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = a[0, 0]
#|   |                                       ^
#| help: its type is f32[n]; one more dimension is made by a 'for'
