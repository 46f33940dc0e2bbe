export def f(n: int) -> int = if n { 1 } else { 0 }

#| error[E0239]: a condition is a bool, not int
#|  --> number-as-condition.arr:1:34
#|   |
#| 1 | export def f(n: int) -> int = if n { 1 } else { 0 }
#|   |                                  ^
#| help: compare it, as in '.. != 0'
