float f(float x) { return x * 2.0; }

#| error[E0117]: expected a declaration, found 'float'
#|  --> c-function.arr:1:1
#|   |
#| 1 | float f(float x) { return x * 2.0; }
#|   | ^^^^^
#| help: a function is written 'def f(x: f32) -> f32 = ..', a constant 'const c = ..'
#| error[E0108]: ';' is not used: a newline ends a statement
#|  --> c-function.arr:1:34
#|   |
#| 1 | float f(float x) { return x * 2.0; }
#|   |                                  ^
#| help: begin a new line
