export def f(x: f32) -> f32 = x > 0.0 ? x : 0.0

#| error[E0107]: expected the end of the line, found '?'
#|  --> ternary.arr:1:39
#|   |
#| 1 | export def f(x: f32) -> f32 = x > 0.0 ? x : 0.0
#|   |                                       ^
#| help: a choice is written 'if c { x } else { y }'
