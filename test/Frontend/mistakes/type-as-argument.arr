export def f(n: int) -> f32[n] = zeros(n, f32)

#| error[E0205]: 'f32' is a type, not a value
#|  --> type-as-argument.arr:1:43
#|   |
#| 1 | export def f(n: int) -> f32[n] = zeros(n, f32)
#|   |                                           ^^^
#| help: a type is declared, 'let a: f32[n] = ..', or converts, 'f32(..)'
