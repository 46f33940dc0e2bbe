export def f(a: f32[n]) -> f32 = sum(a[a > 0.0])

#| error[E0285]: a bool array cannot be an index
#|  --> mask-read.arr:1:40
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = sum(a[a > 0.0])
#|   |                                        ^^^^^^^
#| help: select with a condition: 'for x in a if x > 0.0 { x }'
