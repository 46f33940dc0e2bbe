def square[T: float](f: fn(T) -> T, a: T) -> T = f(a) * f(a)
export def g(k: f64) -> f64 = square(fn(x) => k * x, 1.0)

#| error[E0218]: '*': f64 and f32 do not meet
#|  --> generic-of-literals.arr:2:49
#|   |
#| 2 | export def g(k: f64) -> f64 = square(fn(x) => k * x, 1.0)
#|   |                                                 ^
#| note: in the call of 'the lambda' here
#|  --> generic-of-literals.arr:1:50
#|   |
#| 1 | def square[T: float](f: fn(T) -> T, a: T) -> T = f(a) * f(a)
#|   |                                                  ^^^^
#| note: in the call of 'square' here
#|  --> generic-of-literals.arr:2:31
#|   |
#| 2 | export def g(k: f64) -> f64 = square(fn(x) => k * x, 1.0)
#|   |                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#| note: 'T' is f32 there, as no argument has a type of its own: write 'f64(1.0)' for another one
#|  --> generic-of-literals.arr:2:54
#|   |
#| 2 | export def g(k: f64) -> f64 = square(fn(x) => k * x, 1.0)
#|   |                                                      ^^^
#| help: two float types never mix: convert one side, as in 'f64(..)'
