export def f(x: f32) -> f32 = sqrt((x + 1.0)

#| error[E0103]: '(' is never closed
#|  --> unclosed-parenthesis.arr:1:35
#|   |
#| 1 | export def f(x: f32) -> f32 = sqrt((x + 1.0)
#|   |                                   ^
