export def f(float x, int n) -> f32 = x

#| error[E0138]: this is a parameter of C
#|  --> parameter-of-c.arr:1:14
#|   |
#| 1 | export def f(float x, int n) -> f32 = x
#|   |              ^^^^^
#| help: the type stands behind the name: 'x: f32'
