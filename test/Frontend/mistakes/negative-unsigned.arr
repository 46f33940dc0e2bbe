export def f() -> u8 = -1

#| error[E0219]: -1 does not fit u8
#|  --> negative-unsigned.arr:1:24
#|   |
#| 1 | export def f() -> u8 = -1
#|   |                        ^^
