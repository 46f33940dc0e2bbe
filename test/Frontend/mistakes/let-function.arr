let f (x: []f32): f32 = reduce (+) 0 x

#| error[E0126]: statements stand inside a 'def'
#|  --> let-function.arr:1:1
#|   |
#| 1 | let f (x: []f32): f32 = reduce (+) 0 x
#|   | ^^^
#| help: a function begins with 'def': 'def f(x: f32) -> f32 = ..'
