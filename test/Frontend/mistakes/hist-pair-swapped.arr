export def f(a: f32[n], b: int[n]) -> f32[10] = hist((+), 0.0, 10) for i { (a[i], b[i]) }

#| error[E0282]: an index is an integer, not f32
#|  --> hist-pair-swapped.arr:1:77
#|   |
#| 1 | export def f(a: f32[n], b: int[n]) -> f32[10] = hist((+), 0.0, 10) for i { (a[i], b[i]) }
#|   |                                                                             ^^^^
#| help: the body is '(bin, value)': write '(b[i], a[i])'
