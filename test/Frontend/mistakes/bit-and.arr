export def f(n: int) -> int = n & 1

#| error[E0119]: '&' is not an operator here
#|  --> bit-and.arr:1:33
#|   |
#| 1 | export def f(n: int) -> int = n & 1
#|   |                                 ^
#| help: write 'bitand(x, y)', or 'and' for bools
