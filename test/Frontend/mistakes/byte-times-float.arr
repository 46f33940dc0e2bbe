export def f(a: u8[n]) -> u8[n] = a * 1.5

#| error[E0216]: the result is u8[n], but this is a float literal[n]
#|  --> byte-times-float.arr:1:35
#|   |
#| 1 | export def f(a: u8[n]) -> u8[n] = a * 1.5
#|   |                                   ^^^^^^^
#| help: a float becomes an integer, toward zero, by a call: 'u8(a * 1.5)'
