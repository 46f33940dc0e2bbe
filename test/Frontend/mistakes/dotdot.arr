export def f(n: int) -> int = sum for i in 0..n { i }

#| error[E0119]: '..' is not an operator here
#|  --> dotdot.arr:1:45
#|   |
#| 1 | export def f(n: int) -> int = sum for i in 0..n { i }
#|   |                                             ^^
#| help: a range is written 'lo:hi', as in '0:n'
