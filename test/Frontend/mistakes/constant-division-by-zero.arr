export def f(n: int) -> int = n // 0

#| error[E0236]: division by zero
#|  --> constant-division-by-zero.arr:1:33
#|   |
#| 1 | export def f(n: int) -> int = n // 0
#|   |                                 ^^
