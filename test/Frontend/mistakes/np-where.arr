export def f(a: f32[n]) -> f32[n] = np.where(a > 0.0, a, 0.0)

#| error[E0118]: 'where' is a keyword and cannot be a name
#|  --> np-where.arr:1:40
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = np.where(a > 0.0, a, 0.0)
#|   |                                        ^^^^^
#| help: a choice is written 'select(c, x, y)' or 'if c { x } else { y }'
