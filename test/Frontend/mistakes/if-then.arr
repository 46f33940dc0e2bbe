export def f(c: bool, x: f32, y: f32) -> f32 = if c then x else y

#| error[E0121]: the body of 'if' stands in braces
#|  --> if-then.arr:1:53
#|   |
#| 1 | export def f(c: bool, x: f32, y: f32) -> f32 = if c then x else y
#|   |                                                     ^^^^ expected '{', found 'then'
#| help: a choice is written 'if c { x } else { y }'
