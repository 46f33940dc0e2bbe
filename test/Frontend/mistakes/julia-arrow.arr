export def f(a: f32[n]) -> f32 = reduce((x, y) -> x + y, 0.0, a)

#| error[E0100]: expected ',' or ')', found '->'
#|  --> julia-arrow.arr:1:48
#|   |
#| 1 | export def f(a: f32[n]) -> f32 = reduce((x, y) -> x + y, 0.0, a)
#|   |                                        - '(' opened here
#|   |                                                ^^
#| help: write 'fn(x, y) => x + y'
