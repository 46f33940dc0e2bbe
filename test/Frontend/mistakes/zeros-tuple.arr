export def f(n: int) -> f32[n, n] = zeros((n, n))

#| error[E0260]: a size is an int, not (int, int)
#|  --> zeros-tuple.arr:1:43
#|   |
#| 1 | export def f(n: int) -> f32[n, n] = zeros((n, n))
#|   |                                           ^^^^^^
#| help: the sizes are arguments of their own: 'zeros(n, n)'
