export def f(x: f32) -> f32 = None

#| error[E0200]: 'None' is not declared
#|  --> none.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = None
#|   |                               ^^^^
#| help: every name has a value: there is none for 'nothing'
