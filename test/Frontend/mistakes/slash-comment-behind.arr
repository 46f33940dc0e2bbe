export def f(x: f32) -> f32 = x * x // squares

#| error[E0200]: 'squares' is not declared
#|  --> slash-comment-behind.arr:1:40
#|   |
#| 1 | export def f(x: f32) -> f32 = x * x // squares
#|   |                                        ^^^^^^^
