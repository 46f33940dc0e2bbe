export def f(n: int, k: int) -> int = n // k

#! run run-division-by-zero.arr n=5 k=0
#| run-division-by-zero.arr:1:39: error: division by zero
#|   |
#| 1 | export def f(n: int, k: int) -> int = n // k
#|   |                                       ^
