export def f(x: f32[n]) -> (f32, f32) = min(x), max(x)

#| error[E0107]: expected the end of the line, found ','
#|  --> pair-without-parentheses.arr:1:47
#|   |
#| 1 | export def f(x: f32[n]) -> (f32, f32) = min(x), max(x)
#|   |                                               ^
#| help: several values stand in parentheses: '(min(x), max(x))'
