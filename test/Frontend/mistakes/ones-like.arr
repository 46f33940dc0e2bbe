export def f(a: f32[n]) -> f32[n] = zeros_like(a)

#| error[E0200]: 'zeros_like' is not declared
#|  --> ones-like.arr:1:37
#|   |
#| 1 | export def f(a: f32[n]) -> f32[n] = zeros_like(a)
#|   |                                     ^^^^^^^^^^
#| help: write 'zeros(n, ..)' with the sizes, or 'for x in a { 0.0 }'
