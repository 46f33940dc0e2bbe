export def f(n: int) -> int = sqrt(n)

#| error[E0216]: the result is int, but this is a float literal
#|  --> root-as-int.arr:1:31
#|   |
#| 1 | export def f(n: int) -> int = sqrt(n)
#|   |                               ^^^^^^^
#| help: a float becomes an integer, toward zero, by a call: 'int(sqrt(n))'
