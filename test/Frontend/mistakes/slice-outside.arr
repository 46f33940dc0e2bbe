export def f(a: f32[4]) -> f32[5] = a[0:5]

#| error[E0287]: the slice 0:5 does not lie inside the size 4
#|  --> slice-outside.arr:1:39
#|   |
#| 1 | export def f(a: f32[4]) -> f32[5] = a[0:5]
#|   |                                       ^^^
