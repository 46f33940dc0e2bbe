export def f(n: int) -> int[n, n] = for i in n, j in i { i * j }

#| error[E0303]: the range of 'j' is not fixed
#|  --> dependent-box.arr:1:49
#|   |
#| 1 | export def f(n: int) -> int[n, n] = for i in n, j in i { i * j }
#|   |                                                 ^^^^^^ the range depends on an index to its left
#| help: a box needs fixed ranges: nest the 'for', or put a combinator in front
