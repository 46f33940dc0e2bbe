/* squares */
export def f(x: f32) -> f32 = x * x

#| error[E0119]: '/*' is not an operator here
#|  --> block-comment.arr:1:1
#|   |
#| 1 | /* squares */
#|   | ^^
#| help: a comment begins with '#' and ends with its line
