export def f(a: f32[n], b: f32[n]) -> f32 = dot(a, b)

#| error[E0200]: 'dot' is not declared
#|  --> dot-function.arr:1:45
#|   |
#| 1 | export def f(a: f32[n], b: f32[n]) -> f32 = dot(a, b)
#|   |                                             ^^^
#| help: write 'a @ b'
