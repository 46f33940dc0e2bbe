fn f(x: f32) -> f32 { x * 2.0 }

#| error[E0117]: expected a declaration, found 'fn'
#|  --> fn-declaration.arr:1:1
#|   |
#| 1 | fn f(x: f32) -> f32 { x * 2.0 }
#|   | ^^
#| help: a function begins with 'def': 'def f(x: f32) -> f32 = ..'
