export def f(n: int) -> f32[n] = arange(n) * 0.5

#| error[E0200]: 'arange' is not declared
#|  --> arange.arr:1:34
#|   |
#| 1 | export def f(n: int) -> f32[n] = arange(n) * 0.5
#|   |                                  ^^^^^^
#| help: write 'iota(n)', or give an index its range: 'for i in lo:hi'
