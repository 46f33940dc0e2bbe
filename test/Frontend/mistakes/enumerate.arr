export def f(a: f32[n]) -> f32[n] = for i, x in enumerate(a) { i * x }

#| error[E0138]: this is an unpacking of Python
#|  --> enumerate.arr:1:41
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = for i, x in enumerate(a) { i * x }
#|   |                                         ^
#| help: an index has a name already: 'for i { f(i, a[i]) }'
