function f(x)
  x * 2.0
end

#| error[E0117]: expected a declaration, found 'function'
#|  --> function-declaration.arr:1:1
#|   |
#| 1 | function f(x)
#|   | ^^^^^^^^
#| help: a function begins with 'def': 'def f(x: f32) -> f32 = ..'
