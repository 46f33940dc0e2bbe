export def f(n: int) -> int = if n = 0 { 1 } else { n }

#| error[E0105]: '=' does not compare
#|  --> equal-in-condition.arr:1:36
#|   |
#| 1 | export def f(n: int) -> int = if n = 0 { 1 } else { n }
#|   |                                    ^
#| help: write '==' to compare
