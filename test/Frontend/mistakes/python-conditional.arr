export def f(x: f32) -> f32 = x if x > 0.0 else 0.0

#| error[E0107]: expected the end of the line, found 'if'
#|  --> python-conditional.arr:1:33
#|   |
#| 1 | export def f(x: f32) -> f32 = x if x > 0.0 else 0.0
#|   |                                 ^^
#| help: a choice is written 'if c { x } else { y }'
