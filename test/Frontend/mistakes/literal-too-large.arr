export def f() -> u8 = 256

#| error[E0219]: 256 does not fit u8
#|  --> literal-too-large.arr:1:24
#|   |
#| 1 | export def f() -> u8 = 256
#|   |                        ^^^
