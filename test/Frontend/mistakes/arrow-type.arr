def apply(f: f32 -> f32, x: f32) -> f32 = f(x)
export def g(x: f32) -> f32 = apply(fn(y) => y + 1.0, x)

#| error[E0100]: expected ',' or ')', found '->'
#|  --> arrow-type.arr:1:18
#|   |
#| 1 | def apply(f: f32 -> f32, x: f32) -> f32 = f(x)
#|   |          - '(' opened here
#|   |                  ^^
#| help: a type of functions is written 'fn(f32) -> f32'
