export def f(n: int) -> int = ~n

#| error[E0119]: '~' is not an operator here
#|  --> tilde.arr:1:31
#|   |
#| 1 | export def f(n: int) -> int = ~n
#|   |                               ^
#| help: write 'bitnot(x)'
