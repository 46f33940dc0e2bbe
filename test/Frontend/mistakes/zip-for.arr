export def f(a: f32[n], b: f32[n]) -> f32[n] = for x, y in zip(a, b) { x * y }

#| error[E0138]: this is an unpacking of Python
#|  --> zip-for.arr:1:52
#|   |
#| 1 | export def f(a: f32[n], b: f32[n]) -> f32[n] = for x, y in zip(a, b) { x * y }
#|   |                                                    ^
#| help: write '(x, y) in zip(a, b)'
