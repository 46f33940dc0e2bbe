// squares
export def f(x: f32) -> f32 = x * x

#| error[E0117]: expected a declaration, found '//'
#|  --> slash-comment.arr:1:1
#|   |
#| 1 | // squares
#|   | ^^
#| help: a comment begins with '#'
