export def f(n: int) -> int = n << 2

#| error[E0119]: '<<' is not an operator here
#|  --> shift.arr:1:33
#|   |
#| 1 | export def f(n: int) -> int = n << 2
#|   |                                 ^^
#| help: write 'shl(x, k)'
