export def f(a: f32[n]) -> int = size(filter(fn(x) => x > 0.0, a))

#| error[E0200]: 'filter' is not declared
#|  --> filter.arr:1:39
#|   |
#| 1 | export def f(a: f32[n]) -> int = size(filter(fn(x) => x > 0.0, a))
#|   |                                       ^^^^^^
#| help: write 'for x in a if x > 0.0 { x }'
