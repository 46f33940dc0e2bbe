export def f(a: f32[n]) -> bool = a == 0.0

#| error[E0216]: the result is bool, but this is bool[n]
#|  --> compared-array-as-bool.arr:1:35
#|   |
#| 1 | export def f(a: f32[n]) -> bool = a == 0.0
#|   |                                   ^^^^^^^^
#| help: say 'any(a == 0.0)' or 'all(a == 0.0)'
