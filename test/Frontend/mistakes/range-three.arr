export def f(n: int) -> int = sum for i in range(0, n, 2) { i }

#| error[E0200]: 'range' is not declared
#|  --> range-three.arr:1:44
#|   |
#| 1 | export def f(n: int) -> int = sum for i in range(0, n, 2) { i }
#|   |                                            ^^^^^
#| help: write 'iota(n)', or give an index its range: 'for i in lo:hi'
