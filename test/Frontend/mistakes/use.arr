use std::f32
export def f(x: f32) -> f32 = sqrt(x)

#| error[E0117]: expected a declaration, found 'use'
#|  --> use.arr:1:1
#|   |
#| 1 | use std::f32
#|   | ^^^
#| help: mathematical functions are built in; a file is imported by 'import "vec.arr"'
