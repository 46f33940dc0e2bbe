export def f(a: f32[n]) -> f32[n] = [x*2 for x in a]

#| error[E0138]: this is a comprehension of Python
#|  --> list-comprehension.arr:1:42
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = [x*2 for x in a]
#|   |                                          ^^^
#| help: write 'for x in a { x*2 }'
