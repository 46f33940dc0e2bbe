from numpy import sqrt
export def f(x: f32) -> f32 = sqrt(x)

#| error[E0117]: expected a declaration, found 'from'
#|  --> from-import.arr:1:1
#|   |
#| 1 | from numpy import sqrt
#|   | ^^^^
#| help: mathematical functions are built in; a file is imported by 'import "vec.arr"'
