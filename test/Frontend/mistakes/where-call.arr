export def f(a: f32[n]) -> f32[n] = where(a > 0.0, a, 0.0)

#| error[E0100]: expected an expression, found 'where'
#|  --> where-call.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = where(a > 0.0, a, 0.0)
#|   |                                     ^^^^^
#| help: a choice is written 'select(c, x, y)' or 'if c { x } else { y }'
