export def f(x: f32) -> f32 = math.pi * x

#| error[E0200]: 'math' is not declared
#|  --> math-pi.arr:1:31
#|   |
#| 1 | export def f(x: f32) -> f32 = math.pi * x
#|   |                               ^^^^
#| help: the functions are built in: write 'sqrt(x)'
