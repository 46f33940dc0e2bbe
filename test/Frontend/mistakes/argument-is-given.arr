def g(a: f32, b: f32) -> f32 = a + b
export def f(a: f32) -> f32 = g(a, c = 1.0)

#| error[E0334]: 'g' has no parameter 'c'
#|  --> argument-is-given.arr:2:36
#|   |
#| 1 | def g(a: f32, b: f32) -> f32 = a + b
#|   |     - declared here
#| 2 | export def f(a: f32) -> f32 = g(a, c = 1.0)
#|   |                                    ^
#| help: did you mean 'b'?
