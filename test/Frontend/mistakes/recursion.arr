def fact(n: int) -> int = if n < 2 { 1 } else { n * fact(n - 1) }
export def f(n: int) -> int = fact(n)

#| error[E0209]: 'fact' calls itself
#|  --> recursion.arr:1:53
#|   |
#| 1 | def fact(n: int) -> int = if n < 2 { 1 } else { n * fact(n - 1) }
#|   |     ---- declared here
#|   |                                                     ^^^^^^^^^^^
#| help: functions cannot call themselves, directly or not: write a 'while' or a 'loop'
